/** Each drawing is tagged with its meaning, or marked as an artifact for screen readers. */
import { openFont } from "./fonts.ts";
import { colors } from "./paper.ts";
import { breakText, type Line, type TextStyle } from "./text.ts";

export type Element = PDFKit.PDFStructureElement;

interface Position {
  x: number;
  y: number;
  leading: number;
  color?: string;
  alignRight?: number | undefined;
}

interface Box extends Position {
  width: number;
  maxLines?: number;
}

export class Canvas {
  readonly doc: PDFKit.PDFDocument;
  readonly root: Element;
  private readonly registered = new Set<string>();

  constructor(doc: PDFKit.PDFDocument) {
    this.doc = doc;
    this.root = doc.struct("Document");
    doc.addStructure(this.root);
  }

  text(text: string, style: TextStyle, { width, maxLines = 1, ...position }: Box): void {
    this.lines(breakText(text, style, width, maxLines), style, position);
  }

  lines(lines: Line[], style: TextStyle, position: Position): void {
    const { x, y, leading, color = colors.ink, alignRight } = position;
    this.doc.fillColor(color);
    lines.forEach((line, index) => {
      let at = alignRight === undefined ? x : x + alignRight - line.width;
      const baseline = y + index * leading + style.size;
      for (const run of line.runs) {
        this.selectFont(run.subset, style);
        this.doc.text(run.text, at, baseline, { lineBreak: false, baseline: "alphabetic" });
        at += run.width;
      }
    });
  }

  rule(x: number, y: number, width: number, weight = 0.75, color = colors.ink): void {
    this.doc
      .lineWidth(weight)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke(color);
  }

  verticalRule(x: number, y: number, height: number, color = colors.ink): void {
    this.doc
      .lineWidth(0.75)
      .moveTo(x, y)
      .lineTo(x, y + height)
      .stroke(color);
  }

  frame(x: number, y: number, width: number, height: number, color = colors.ink): void {
    this.doc.lineWidth(0.75).rect(x, y, width, height).stroke(color);
  }

  /** An element without content of its own; the caller ends it. */
  openElement(type: string, parent = this.root): Element {
    const element = this.doc.struct(type);
    parent.add(element);
    return element;
  }

  tagged(type: string, draw: () => void, parent = this.root): void {
    const element = this.doc.struct(type, {}, draw);
    parent.add(element);
    element.end();
  }

  figure(alt: string, draw: () => void): void {
    const element = this.doc.struct("Figure", { alt }, draw);
    this.root.add(element);
    element.end();
  }

  artifact(draw: () => void): void {
    this.doc.markContent("Artifact");
    draw();
    this.doc.endMarkedContent();
  }

  private selectFont(subset: string, { size, weight }: TextStyle): void {
    const key = `${subset}-${weight}`;
    if (!this.registered.has(key)) {
      this.registered.add(key);
      // pdfkit accepts an open font, which its types omit
      this.doc.registerFont(key, openFont(subset, weight) as unknown as PDFKit.Mixins.PDFFontSource);
    }
    this.doc.font(key, size);
  }
}
