/** Only `html` creates one, so a text that looks like markup is still escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** Texts and numbers are escaped, markup and lists of it are not. */
type Hole = string | number | Markup | readonly Markup[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function html(parts: TemplateStringsArray, ...holes: Hole[]): Markup {
  const filled = parts.map((part, index) => (index === 0 ? part : render(holes[index - 1] ?? "") + part));
  return new Markup(filled.join(""));
}

function render(hole: Hole): string {
  if (hole instanceof Markup) return hole.text;
  if (Array.isArray(hole)) return hole.map(render).join("");
  return String(hole).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
