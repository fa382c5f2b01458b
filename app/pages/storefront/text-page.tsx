import type { ReactNode } from "react";
import type { LegalText } from "./legal-texts.ts";

/** A page of text sections with headings; `children` come before the first section. */
export function TextPage({ text, children }: { text: LegalText; children?: ReactNode }) {
  return (
    <main id="main" className="sheet docs">
      <header className="docs__head">
        <h1 className="t-h1">{text.title}</h1>
        <p className="soft">{text.introduction}</p>
      </header>
      {children}
      {text.sections.map(({ id, heading, text: paragraphs }) => (
        <section className="docs__call" key={heading} id={id}>
          <h2 className="t-h3">{heading}</h2>
          <div className="post__text">
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </section>
      ))}
    </main>
  );
}
