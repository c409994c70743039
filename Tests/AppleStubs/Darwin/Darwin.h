// The calls of Darwin's C library that Sources use, with the types that they have on Darwin. If Sources compile against this header, their
// C calls compile on a Mac. Where a call is missing here, add it with the signature of its manual page.
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long time_t;
typedef int64_t off_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef uint32_t sigset_t;
typedef unsigned int nfds_t;

#pragma clang assume_nonnull begin

// errno
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK 35
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ESTALE 70
#define ENOSYS 78
#define EOPNOTSUPP 102
char *_Null_unspecified strerror(int number);

// Files
#define O_RDONLY 0x0
#define O_WRONLY 0x1
#define O_RDWR 0x2
#define O_NONBLOCK 0x4
#define O_APPEND 0x8
#define O_NOFOLLOW 0x100
#define O_CREAT 0x200
#define O_TRUNC 0x400
#define O_EXCL 0x800
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x20
#define AT_REMOVEDIR 0x80
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

static const mode_t S_IFMT = 0170000;
static const mode_t S_IFIFO = 0010000;
static const mode_t S_IFCHR = 0020000;
static const mode_t S_IFDIR = 0040000;
static const mode_t S_IFREG = 0100000;
static const mode_t S_IFLNK = 0120000;
static const mode_t S_IFSOCK = 0140000;
struct timespec { time_t tv_sec; long tv_nsec; };
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    uint32_t st_flags, st_gen;
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int file, struct stat *status);
int fstatat(int folder, const char *path, struct stat *status, int flags);
int close(int file);
ssize_t read(int file, void *_Nullable room, size_t count);
ssize_t write(int file, const void *_Nullable bytes, size_t count);
ssize_t pread(int file, void *_Nullable room, size_t count, off_t offset);
ssize_t pwrite(int file, const void *_Nullable bytes, size_t count, off_t offset);
off_t lseek(int file, off_t offset, int from);
int fsync(int file);
int ftruncate(int file, off_t length);
int flock(int file, int operation);
int access(const char *path, int mode);
int mkdir(const char *path, mode_t mode);
int mkdirat(int folder, const char *path, mode_t mode);
int rename(const char *old, const char *new_name);
int renameat(int from, const char *old, int to, const char *new_name);
int unlink(const char *path);
int unlinkat(int folder, const char *path, int flags);
char *_Nullable getcwd(char *_Nullable room, size_t size);
int link(const char *old, const char *new_name);
int linkat(int from, const char *old, int to, const char *new_name, int flags);
int chmod(const char *path, mode_t mode);
int fchmod(int file, mode_t mode);
int fchown(int file, uid_t owner, gid_t group);
int isatty(int file);

typedef struct { int __dd_fd; long __dd_loc; } DIR;
#define DT_DIR 4
#define DT_REG 8
#define DT_LNK 10
struct dirent {
    uint64_t d_ino, d_seekoff;
    uint16_t d_reclen, d_namlen;
    uint8_t d_type;
    char d_name[1024];
};
DIR *_Null_unspecified opendir(const char *path);
DIR *_Null_unspecified fdopendir(int file);
struct dirent *_Null_unspecified readdir(DIR *_Null_unspecified folder);
int closedir(DIR *_Null_unspecified folder);
#define FNM_PERIOD 0x4
int fnmatch(const char *pattern, const char *name, int flags);
int dirfd(DIR *_Null_unspecified folder);

struct pollfd { int fd; short events, revents; };
#define POLLIN 0x1
#define POLLOUT 0x4
int poll(struct pollfd *_Nullable files, nfds_t count, int milliseconds);

// Memory
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 0x1
#define MAP_PRIVATE 0x2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x1000
#define MS_SYNC 0x10
void *_Null_unspecified mmap(void *_Null_unspecified at, size_t count, int protection, int flags, int file, off_t offset);
int munmap(void *_Null_unspecified memory, size_t count);
int msync(void *_Null_unspecified memory, size_t count, int flags);
int madvise(void *_Null_unspecified memory, size_t count, int advice);
void *_Null_unspecified calloc(size_t count, size_t size);
void *_Null_unspecified malloc(size_t count);
void free(void *_Nullable memory);
int memcmp(const void *_Null_unspecified a, const void *_Null_unspecified b, size_t count);
void *_Null_unspecified memchr(const void *_Null_unspecified bytes, int byte, size_t count);
void *_Null_unspecified memcpy(void *_Null_unspecified to, const void *_Null_unspecified from, size_t count);
void *_Null_unspecified memmove(void *_Null_unspecified to, const void *_Null_unspecified from, size_t count);
size_t strlen(const char *text);
double strtod(const char *_Null_unspecified text, char *_Nullable *_Null_unspecified end);
char *_Null_unspecified getenv(const char *name);

// Time
typedef enum { _CLOCK_REALTIME = 0, _CLOCK_MONOTONIC = 6, _CLOCK_MONOTONIC_RAW = 4, _CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
static const clockid_t CLOCK_REALTIME = _CLOCK_REALTIME;
static const clockid_t CLOCK_MONOTONIC = _CLOCK_MONOTONIC;
static const clockid_t CLOCK_MONOTONIC_RAW = _CLOCK_MONOTONIC_RAW;
static const clockid_t CLOCK_THREAD_CPUTIME_ID = _CLOCK_THREAD_CPUTIME_ID;
int clock_gettime(clockid_t clock, struct timespec *now);
int sched_yield(void);

// Processes
#define SIG_SETMASK 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGFPE 8
#define SIGBUS 10
#define SIGSEGV 11
#define SIGSYS 12
#define SIGPIPE 13
pid_t getpid(void);
uid_t geteuid(void);
int sigfillset(sigset_t *set);
int sigdelset(sigset_t *set, int signal);
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int name);
void abort(void) __attribute__((noreturn));
void exit(int status) __attribute__((noreturn));

// Threads
typedef struct { long __sig; char __opaque[8176]; } *pthread_t;
typedef struct { long __sig; char __opaque[56]; } pthread_attr_t;
typedef struct { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct { long __sig; char __opaque[8]; } pthread_mutexattr_t;
typedef struct { long __sig; char __opaque[40]; } pthread_cond_t;
typedef struct { long __sig; char __opaque[8]; } pthread_condattr_t;
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t bytes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes, void *_Nullable (*_Nonnull start)(void *_Nonnull),
    void *_Nullable argument);
int pthread_join(pthread_t thread, void *_Nullable *_Nullable result);
int pthread_detach(pthread_t thread);
pthread_t pthread_self(void);
int pthread_setname_np(const char *name);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable before);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *_Nullable time);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);

// Numbers
double log(double number);
double exp(double number);
double pow(double number, double exponent);
double log10(double x);
double erfc(double number);
double lgamma_r(double number, int *_Nonnull sign);
double fmod(double number, double divisor);

#pragma clang assume_nonnull end
