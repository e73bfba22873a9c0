// Small things: elements, numbers and durations as text.

const SVG = "http://www.w3.org/2000/svg";

// An element with properties, and texts or elements in it. Nothing is ever parsed as HTML.
function make(tag, props, ...content) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === false) continue;
    if (key === "class") node.className = value;
    else if (key === "onclick") node.addEventListener("click", value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...content.filter((part) => part !== null && part !== undefined));
  return node;
}

function draw(tag, attributes, ...content) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...content);
  return node;
}

const byId = (id) => document.getElementById(id);

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

const counted = (number, noun) => `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;

// A duration as Go prints it: 1h2m3.5s, 10ms, 0s. BigInt, since runs can last 584 years.
function duration(ns) {
  if (ns === 0n) return "0s";
  const decimal = (value, unit, digits) => {
    const rest = (value % unit).toString().padStart(digits, "0").replace(/0+$/, "");
    return (value / unit).toString() + (rest ? `.${rest}` : "");
  };
  if (ns < 1000n) return `${ns}ns`;
  if (ns < 1000000n) return `${decimal(ns, 1000n, 3)}µs`;
  if (ns < 1000000000n) return `${decimal(ns, 1000000n, 6)}ms`;
  const minutes = ns / 60000000000n;
  const seconds = decimal(ns % 60000000000n, 1000000000n, 9);
  if (minutes === 0n) return `${seconds}s`;
  const hours = minutes / 60n;
  return `${hours ? `${hours}h` : ""}${minutes % 60n}m${seconds}s`;
}

// The names of a row: all of a few, else the first and how many more.
function rowName(names) {
  return names.length < 2 ? names[0] || "" : `${names[0]} and ${grouped(names.length - 1)} more`;
}
