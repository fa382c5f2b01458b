/** Runs at build time, so that the server does not load the parser. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postcss, { AtRule, type ChildNode, type Container, Rule } from "postcss";

/** A rule with the classes that each of its selectors requires (null: it is always kept), or a group of rules. */
export type StylesheetPart =
  | { text: string; needs: string[][] | null }
  | { head: string; parts: StylesheetPart[] };

/** One file with the parts of all stylesheets, by file name. */
export async function splitStylesheets(assets: string, target: string): Promise<void> {
  const names = (await readdir(assets)).filter((name) => name.endsWith(".css"));
  const parts = await Promise.all(
    names.map(async (name) => [name, splitStylesheet(await readFile(join(assets, name), "utf8"))]),
  );
  await writeFile(target, JSON.stringify(Object.fromEntries(parts)));
}

export function splitStylesheet(css: string): StylesheetPart[] {
  return toParts(postcss.parse(toAscii(css)));
}

/** One character beyond Latin-1 would make V8 store every page that includes it in two bytes per character. */
function toAscii(css: string): string {
  return css.replace(/[^\0-\x7f]/gu, (one) => `\\${one.codePointAt(0)?.toString(16)} `);
}

function toParts(container: Container): StylesheetPart[] {
  return (container.nodes ?? []).flatMap((node) => readNode(node as ChildNode));
}

function readNode(node: ChildNode): StylesheetPart[] {
  if (node.type === "comment") return [];
  if (node instanceof Rule) return [{ text: node.toString(), needs: selectorRequirements(node) }];
  const groups = node instanceof AtRule && /^(media|supports|layer|container)$/.test(node.name) && node.nodes;
  if (groups) return [{ head: `@${node.name} ${node.params}`, parts: toParts(node) }];
  return [{ text: node.toString() + (node instanceof AtRule && node.nodes ? "" : ";"), needs: null }];
}

/** The classes that each selector requires, except those in brackets, which may be alternatives. */
function selectorRequirements(rule: Rule): string[][] | null {
  const needs = rule.selectors.map((selector) => {
    let plain = selector;
    for (let before = ""; before !== plain; ) {
      before = plain;
      plain = plain.replace(/(?<!\\)\([^()]*\)/g, "");
    }
    return [...plain.matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name]) =>
      (name as string).replace(/\\(.)/g, "$1"),
    );
  });
  return needs.some((classes) => classes.length === 0) ? null : needs;
}
