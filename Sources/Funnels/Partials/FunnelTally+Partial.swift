extension FunnelTally {
    mutating func code(_ coder: inout PartialCoder, of chains: Int) throws(PartialError) {
        try coder.size(&windowOpen)
        for step in counts.indices {
            try coder.size(&counts[step])
            try coder.require(counts[step] <= min(counts[0], chains))
            if step > 0 { try coder.run(&sinceFirst[step]) }
            // Where the required step before is step 1, the two lists of times are the same.
            sincePrevious[step].sort()
            var isOne = sincePrevious[step] == sinceFirst[step]
            try coder.flag(&isOne)
            if isOne { sincePrevious[step] = sinceFirst[step] } else { try coder.run(&sincePrevious[step]) }
        }
    }
}
