import { Link } from "react-router";
import { footer } from "./footer-links.ts";
import { Logo } from "./logo.tsx";

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
            {column.links.map(({ label, to, href }) =>
              to ? (
                <Link key={label} to={to}>
                  {label}
                </Link>
              ) : (
                <a key={label} href={href}>
                  {label}
                </a>
              ),
            )}
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
