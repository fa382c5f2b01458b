/** The developer's page (specification, sections 1 and 2). The person is invented and meant to be replaced. */
export const portfolio = {
  name: "Noor Lindqvist",
  role: "Front-end developer",
  summary: "I build interfaces for people who order things by the pallet.",
  email: "noor@lindqvist.example",
  education: [
    { when: "2019 to 2023", what: "BSc, Computer Science", where: "Port Harrow University" },
    { when: "2017 to 2019", what: "Technical diploma, Electrical engineering", where: "Harrow Polytechnic" },
  ],
  skills: [
    { group: "Every day", items: ["TypeScript", "React", "CSS", "accessibility testing"] },
    { group: "Often", items: ["Node.js", "PostgreSQL", "REST design", "card payments"] },
    { group: "When needed", items: ["SVG illustration", "map tiles", "PDF output"] },
  ],
  projects: [
    {
      name: "Stator",
      when: "2026",
      text: "The bulk store you are looking at: catalogue, purchase orders, card payment and dispatch.",
      stack: ["TypeScript", "React", "PostgreSQL"],
      link: { label: "See the tools", href: "/tools" },
    },
    {
      name: "Yardbook",
      when: "2025",
      text: "Stock counting for depots. Works without a signal and settles the counts when the phone is back in range.",
      stack: ["TypeScript", "IndexedDB", "service worker"],
    },
    {
      name: "Torque Table",
      when: "2024",
      text: "A fastener reference that answers in one keystroke: thread, grade, and the torque that goes with them.",
      stack: ["Preact", "SVG"],
    },
  ],
};
