import { Link } from "react-router";
import { Logo } from "./logo.tsx";

/** The footer (specification, sections 1 and 2): pages of the store, or an email about what has no page. */
const columns = [
  {
    heading: "Company",
    links: [
      { label: "About us" },
      { label: "Contact", to: "/contact" },
      { label: "Jobs" },
      { label: "Press kit" },
    ],
  },
  {
    heading: "Legal",
    links: [
      { label: "Terms of use", to: "/terms" },
      { label: "Privacy policy", to: "/privacy" },
      { label: "Cookie policy", to: "/privacy#cookies" },
    ],
  },
];

export function Footer() {
  return (
    <footer className="ftr">
      <div className="sheet ftr__in">
        <div className="ftr__brand">
          <Link className="logo" to="/" aria-label="Stator, home">
            <Logo />
          </Link>
          <p>
            Professional electric tools, made in our own factory and sold in quantity to the companies that
            use them.
          </p>
        </div>
        {columns.map(({ heading, links }) => (
          <nav key={heading} aria-label={heading}>
            <h2>{heading}</h2>
            {links.map(({ label, to }) =>
              to ? (
                <Link key={label} to={to}>
                  {label}
                </Link>
              ) : (
                <a key={label} href={`mailto:office@stator.example?subject=${encodeURIComponent(label)}`}>
                  {label}
                </a>
              ),
            )}
          </nav>
        ))}
        <div className="ftr__end">
          <span>© 2026 Stator Electric Tool Works</span>
          <span>Prices in US dollars</span>
        </div>
      </div>
    </footer>
  );
}
