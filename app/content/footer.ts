/** The texts of the footer (specification, sections 1 and 2), in a file of their own: every page carries them. */

/** The company and legal links are placeholders until the owner has pages for them: they ask by mail. */
export const footer = {
  text: "Professional electric tools, made in our own factory and sold in quantity to the companies that use them.",
  columns: [
    {
      heading: "Company",
      links: [
        { label: "About us", href: ask("About us") },
        { label: "Contact", href: ask("Contact") },
        { label: "Jobs", href: ask("Jobs") },
        { label: "Press kit", href: ask("Press kit") },
      ],
    },
    {
      heading: "Legal",
      links: [
        { label: "Terms of use", href: ask("Terms of use") },
        { label: "Privacy policy", href: ask("Privacy policy") },
        { label: "Cookie policy", href: ask("Cookie policy") },
      ],
    },
  ],
  copyright: "© 2026 Stator Electric Tool Works",
  currency: "Prices in US dollars",
};

function ask(subject: string): string {
  return `mailto:office@stator.example?subject=${encodeURIComponent(subject)}`;
}
