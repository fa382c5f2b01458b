/** The texts of the home page (specification, sections 1 and 2) that are not its fixed labels. */

export const hero = {
  /** One entry for each line of the heading. */
  heading: ["Welcome to", "the factory."],
  text: "Stator makes professional electric tools in its own works and sells them direct, in quantity, to the companies that use them.",
  drawing: {
    title: "Drill driver DD 18-60",
    note: "Exploded",
    description:
      "Drill driver, exploded view: bit, chuck, torque collar, gearbox, rotor, stator, housing, switch and battery pack along one axis",
    /** In the order of the numbered balloons. */
    parts: [
      "Bit",
      "Chuck",
      "Torque collar",
      "Gearbox",
      "Rotor",
      "Stator",
      "Housing",
      "Switch",
      "Battery pack",
    ],
  },
};

/** `figure` names the drawing under an answer: the dimension line of 24 to 72 working hours. */
export const questions: { question: string; answer: string; figure?: "delivery" }[] = [
  {
    question: "Are the tools authentic?",
    answer:
      "Yes. All tools are made in our own factory and are authentic. Each one leaves the line with a serial number and its own test record.",
  },
  {
    question: "How do I purchase a product?",
    answer:
      "Choose Buy Now on a tool's card, which opens the tool, and log in when you are asked to. Enter a quantity between the minimum order and the stock, add your address and choose Purchase. The order then appears under Dashboard, My Orders.",
  },
  {
    question: "When do I make the final payment, and when does shipment start?",
    answer: "Open My Orders and choose Pay. Shipment starts after successful payment.",
  },
  {
    question: "How long does an order take to arrive?",
    answer: "Delivery takes 24 to 72 working hours after an order is completed.",
    figure: "delivery",
  },
];

/** In degrees; zoom as in the specification's section 9. */
export const location = {
  name: "Stator Electric Tool Works",
  address: "14 Foundry Lane, Port Harrow",
  latitude: 51.9445,
  longitude: 1.2525,
  zoom: 13,
  /** Next to the map, as label and lines, optionally with a link. */
  facts: [
    { label: "Factory and dispatch", lines: ["14 Foundry Lane", "Port Harrow"] },
    { label: "Goods collection", lines: ["Monday to Friday", "7:00 to 16:00"] },
    { label: "Telephone", lines: ["555 0142 0180"], href: "tel:+55501420180" },
    { label: "Orders", lines: ["orders@stator.example"], href: "mailto:orders@stator.example" },
  ],
};
