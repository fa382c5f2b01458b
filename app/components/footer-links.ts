/** The footer (specification, sections 1 and 2). Separate, because every page loads it. */

/** `to` is a page of the store; a link without a page opens an email. */
interface FooterLink {
  label: string;
  to?: string;
  href?: string;
}

export const footer: {
  text: string;
  columns: { heading: string; links: FooterLink[] }[];
  copyright: string;
  currency: string;
} = {
  text: "Professional electric tools, made in our own factory and sold in quantity to the companies that use them.",
  columns: [
    {
      heading: "Company",
      links: [
        { label: "About us", href: ask("About us") },
        { label: "Contact", to: "/contact" },
        { label: "Jobs", href: ask("Jobs") },
        { label: "Press kit", href: ask("Press kit") },
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
  ],
  copyright: "© 2026 Stator Electric Tool Works",
  currency: "Prices in US dollars",
};

function ask(subject: string): string {
  return `mailto:office@stator.example?subject=${encodeURIComponent(subject)}`;
}
