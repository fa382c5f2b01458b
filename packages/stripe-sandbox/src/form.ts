/** Without prototypes, so that no key can reach one. `a[]=x` becomes `{ a: { 0: "x" } }`. */
export interface Form {
  [name: string]: string | Form;
}

const MAX_PAIRS = 400;
const MAX_DEPTH = 6;
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);

/** Refuses too many or too deeply nested pairs, forbidden names, NUL, and a name used as both value and object. */
export function parseForm(text: string): { form: Form } | { reason: string } {
  const form: Form = Object.create(null);
  let pairs = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > MAX_PAIRS) return { reason: "The request has too many parameters." };
    const path = splitName(name);
    if (!path || value.includes("\0")) return { reason: `Received unknown parameter: ${printable(name)}` };
    if (!setPath(form, path, value)) return { reason: `Invalid parameter: ${printable(name)}` };
  }
  return { form };
}

function splitName(name: string): string[] | null {
  const open = name.indexOf("[");
  const head = open < 0 ? name : name.slice(0, open);
  const rest = open < 0 ? "" : name.slice(open);
  if (!head || !/^(\[[^[\]]*\])*$/.test(rest)) return null;
  const path = [head, ...(rest ? rest.slice(1, -1).split("][") : [])];
  const isValid = path.every((part) => !FORBIDDEN.has(part) && !part.includes("\0") && part.length <= 100);
  return isValid && path.length <= MAX_DEPTH ? path : null;
}

function setPath(form: Form, path: string[], value: string): boolean {
  let target = form;
  for (const part of path.slice(0, -1)) {
    const key = part || String(Object.keys(target).length);
    const next = target[key] ?? (Object.create(null) as Form);
    if (typeof next === "string") return false;
    target[key] = next;
    target = next;
  }
  const last = path.at(-1) || String(Object.keys(target).length);
  if (typeof target[last] === "object") return false;
  target[last] = value;
  return true;
}

function printable(name: string): string {
  return name.replaceAll("\0", "").slice(0, 60);
}
