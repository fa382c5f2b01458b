/** Tables and inline styles, since email clients support little else. HTML and text come from the same data. */
import { html, type Markup } from "./markup.ts";

export interface Site {
  publicUrl: string;
  /** the seller's name and address, and how to reach them */
  sender: readonly string[];
}

/** To a page of this store: renderEmail throws for a path that leads to another site. */
interface Link {
  label: string;
  path: string;
}

export type Fact = [label: string, value: string];

/** Texts are plain; line breaks become spaces, except in facts. */
export interface EmailContent extends Site {
  subject: string;
  /** the preview text, which an inbox shows after the subject */
  preview: string;
  heading: string;
  greeting: string;
  paragraphs: string[];
  facts?: Fact[];
  lines?: { text: string; amount: string }[];
  button?: Link;
  /** below the button */
  document?: Link;
  note?: string;
}

export interface Email {
  subject: string;
  html: string;
  text: string;
}

const font = "font-family:Archivo,'Helvetica Neue',Helvetica,Arial,sans-serif";

/** The subject is always a single line. */
export function renderEmail(content: EmailContent): Email {
  const facts = (content.facts ?? []).filter(([, value]) => oneLine(value) !== "");
  const shown = { ...content, facts };
  return { subject: oneLine(content.subject, 160), html: renderHtml(shown).text, text: renderText(shown) };
}

export function absoluteLink(publicUrl: string, path: string): string {
  const base = new URL(publicUrl);
  const link = new URL(path, base);
  if (link.origin !== base.origin || !/^https?:$/.test(link.protocol)) {
    throw new Error(`An email may only link to ${base.origin}, not to ${link.origin}`);
  }
  return link.href;
}

/** A text as one line without control or direction characters, at most `max` characters long. */
export function oneLine(text: string, max = 300): string {
  const line = text.replace(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ").trim();
  const characters = Array.from(line);
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}

function renderHtml(content: EmailContent): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${oneLine(content.subject)}</title>
<style>
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #0D1217 !important; }
  .ink { color: #EDF1F4 !important; border-color: #EDF1F4 !important; }
  .sheet, .cell { background: #141B22 !important; border-color: #27323C !important; }
  .soft { color: #B4C0CA !important; }
}
@media (max-width: 599px) { .sheet { padding: 24px 20px !important; } }
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#F4F6F8">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${oneLine(content.preview)}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#F4F6F8" style="background:#F4F6F8">
<tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:560px">
<tr><td class="ink" style="padding:0 0 14px;${font};font-size:20px;font-weight:800;letter-spacing:1px;color:#141C24">STATOR</td></tr>
<tr><td class="sheet" bgcolor="#FFFFFF" style="padding:32px 36px;background:#FFFFFF;border:1px solid #D0D9DF">
<h1 class="ink" style="margin:0 0 20px;padding:16px 0 0;border-top:2px solid #141C24;${font};font-size:24px;line-height:30px;font-weight:640;color:#141C24">${oneLine(content.heading)}</h1>
${[content.greeting, ...content.paragraphs].map(paragraph)}
${factTable(content.facts ?? [])}
${lineTable(content.lines ?? [])}
${content.button ? button(content.button, content) : ""}
${content.document ? documentLink(content.document, content) : ""}
${content.note ? html`<p class="soft" style="margin:20px 0 0;${font};font-size:13px;line-height:19px;color:#566471">${oneLine(content.note)}</p>` : ""}
</td></tr>
<tr><td class="soft" style="padding:16px 0 0;${font};font-size:12px;line-height:18px;color:#566471">${content.sender.map((line) => html`${line}<br>`)}<a class="soft" href="${absoluteLink(content.publicUrl, "/")}" style="color:#566471">${new URL(content.publicUrl).host}</a></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function paragraph(text: string): Markup {
  return html`<p class="soft" style="margin:0 0 14px;${font};font-size:15px;line-height:23px;color:#3F4D5A">${oneLine(text, 1000)}</p>
`;
}

function factTable(facts: Fact[]): Markup {
  if (facts.length === 0) return html``;
  const rows: Markup[] = [];
  for (let index = 0; index < facts.length; index += 2) {
    const pair = facts.slice(index, index + 2);
    rows.push(html`<tr>${pair.map((fact) => cell(fact, pair.length === 1 ? 2 : 1))}</tr>
`);
  }
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 22px;width:100%;border-collapse:collapse;table-layout:fixed">
${rows}</table>`;
}

function cell([label, value]: Fact, columns: number): Markup {
  return html`<td class="cell" colspan="${columns}" valign="top" style="padding:10px 12px;border:1px solid #D0D9DF;${font}"><div class="soft" style="font-size:12px;line-height:16px;color:#566471">${label}</div><div class="ink" style="padding-top:2px;font-size:16px;line-height:22px;font-weight:640;color:#141C24;word-break:break-word;overflow-wrap:anywhere">${linesOf(value).map((line, index) => (index === 0 ? html`${line}` : html`<br>${line}`))}</div></td>`;
}

function linesOf(value: string): string[] {
  return value
    .split("\n")
    .map((line) => oneLine(line, 500))
    .filter(Boolean);
}

function lineTable(lines: { text: string; amount: string }[]): Markup {
  if (lines.length === 0) return html``;
  const style = `padding:8px 0;border-top:1px solid #D0D9DF;${font};font-size:15px;line-height:21px;color:#141C24`;
  const rows = lines.map(
    ({ text, amount }) =>
      html`<tr><td class="cell ink" valign="top" style="${style};overflow-wrap:anywhere">${oneLine(text)}</td><td class="cell ink" align="right" valign="top" style="${style};padding-left:16px;white-space:nowrap">${amount}</td></tr>
`,
  );
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 22px;width:100%;border-collapse:collapse">
${rows}</table>`;
}

function documentLink({ label, path }: Link, { publicUrl }: Site): Markup {
  const href = absoluteLink(publicUrl, path);
  return html`<p style="margin:20px 0 0;${font};font-size:13px;line-height:19px"><a class="ink" href="${href}" style="color:#141C24">${label}</a></p>`;
}

function button({ label, path }: Link, { publicUrl }: Site): Markup {
  const href = absoluteLink(publicUrl, path);
  return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#FF5A1F" style="background:#FF5A1F;border-bottom:2px solid #D4430C;border-radius:4px"><a href="${href}" style="display:inline-block;padding:13px 24px;${font};font-size:15px;line-height:20px;font-weight:600;color:#141C24;text-decoration:none">${label}</a></td></tr></table>
<p class="soft" style="margin:16px 0 0;${font};font-size:12px;line-height:18px;color:#566471;word-break:break-all">${href}</p>`;
}

function renderText(content: EmailContent): string {
  const blocks = [
    oneLine(content.heading),
    ...[content.greeting, ...content.paragraphs].map((text) => oneLine(text, 1000)),
    (content.facts ?? []).map(([label, value]) => `${label}: ${linesOf(value).join("\n  ")}`).join("\n"),
    (content.lines ?? [])
      .map(({ text, amount }) => [oneLine(text), amount].filter(Boolean).join(", "))
      .join("\n"),
    ...[content.button, content.document].map((link) =>
      link ? `${link.label}:\n${absoluteLink(content.publicUrl, link.path)}` : "",
    ),
    content.note ? oneLine(content.note) : "",
    `-- \n${content.sender.join("\n")}\n${absoluteLink(content.publicUrl, "/")}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}
