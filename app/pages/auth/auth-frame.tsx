import type { ReactNode } from "react";
import { Link } from "react-router";
import { FormError } from "../../components/field.tsx";
import { Logo } from "../../components/logo.tsx";

interface AuthFrameProps {
  title: string;
  /** decorative; shown from 1024 px up */
  drawing: ReactNode;
  children: ReactNode;
}

/** The form on the left and a drawing on the right; on a phone only the form. */
export function AuthFrame({ title, drawing, children }: AuthFrameProps) {
  return (
    <main id="main" className="auth">
      <div className="auth__form">
        <Link className="logo" to="/" aria-label="Stator, home">
          <Logo />
        </Link>
        <div className="auth__box">
          <h1 className="t-h1">{title}</h1>
          <noscript>
            <FormError>This page needs JavaScript. Allow it for this site and load the page again.</FormError>
          </noscript>
          {children}
        </div>
      </div>
      <div className="auth__plate plate plate--ticks" aria-hidden="true">
        {drawing}
      </div>
    </main>
  );
}

/** The cross-section of a motor. */
export function SectionDrawing() {
  return <img src="/art/section.svg" alt="" width="800" height="900" />;
}

const wallTools = [
  "angle-grinder",
  "router",
  "rotary-hammer",
  "jigsaw",
  "drill-driver",
  "nail-gun",
  "circular-saw",
  "random-orbit-sander",
  "impact-wrench",
  "chainsaw",
  "planer",
  "heat-gun",
];

/** A grid of twelve tools. */
export function ToolWall() {
  return (
    <div className="wall">
      {wallTools.map((tool) => (
        <div key={tool}>
          <img src={`/tools/${tool}.svg`} alt="" width="640" height="480" loading="lazy" />
        </div>
      ))}
    </div>
  );
}
