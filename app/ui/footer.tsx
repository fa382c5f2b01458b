import { Link } from "react-router";
import { footer } from "../content/footer.ts";
import { Logo } from "./logo.tsx";

/** Company and legal links are placeholders, as the specification has them. */
export function Footer() {
  return (
    <footer className="ftr">
      <div className="sheet ftr__in">
        <div className="ftr__brand">
          <Link className="logo" to="/" aria-label="Stator, home">
            <Logo />
          </Link>
          <p>{footer.text}</p>
        </div>
        {footer.columns.map((column) => (
          <nav key={column.heading} aria-label={column.heading}>
            <h2>{column.heading}</h2>
            {column.links.map((link) => (
              <a key={link.label} href={link.href}>
                {link.label}
              </a>
            ))}
          </nav>
        ))}
        <div className="ftr__end">
          <span>{footer.copyright}</span>
          <span>{footer.currency}</span>
        </div>
      </div>
    </footer>
  );
}
