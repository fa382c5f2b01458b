/** Only `html` creates one, so a text that looks like markup is still escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/** Texts and numbers are escaped, markup and lists of it are not. */
type Value = string | number | Markup | readonly Markup[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  const rendered = strings.map((string, index) =>
    index === 0 ? string : render(values[index - 1] ?? "") + string,
  );
  return new Markup(rendered.join(""));
}

function render(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
