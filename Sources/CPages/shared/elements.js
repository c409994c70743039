"use strict";
// What the scripts of pages share: how elements are made, and how what stands packed in one is read.

const HTML = "http://www.w3.org/1999/xhtml";
// Gives a function that makes an element from a name (its class behind a point), attributes and contents; shown changes texts.
const elements = (space, shown = (text) => text) => (name, ...inside) => {
    const [tag, kind] = name.split("."), attributes = inside[0]?.constructor === Object ? inside.shift() : {};
    const node = document.createElementNS(space, tag), isThere = (one) => one != null && one !== false;
    for (const [key, value] of Object.entries({class: kind, ...attributes})) {
        if (key.startsWith("on")) node[key] = value;
        else if (key === "style") node.style = value;
        else if (isThere(value)) node.setAttribute(key, value === true ? "" : value);
    }
    // One by one: a table may have more rows than a call takes.
    for (const one of inside.flat(9)) if (isThere(one)) node.append(typeof one === "string" ? shown(one) : one);
    return node;
};
// What stands in an element as base64 of gzip; the element is empty then.
const unpacked = (node) => {
    const text = atob(node.textContent), bytes = new Uint8Array(text.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
    node.textContent = "";
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
};
