/** These texts describe this software; the store's owner must check them against the applicable law. */
import { location } from "./home/home-texts.ts";

interface Section {
  /** the anchor of links to the section */
  id?: string;
  heading: string;
  text: string[];
}

export interface LegalText {
  title: string;
  introduction: string;
  sections: Section[];
}

export const office = { email: "office@stator.example" };

const orders = location.facts.find(({ label }) => label === "Orders")?.lines[0] ?? office.email;

export const privacy: LegalText = {
  title: "Privacy",
  introduction: `What ${location.name} stores about you, why, for how long, and how you delete it.`,
  sections: [
    {
      heading: "Who is responsible",
      text: [
        `${location.name}, ${location.address}. For questions about your data write to ${office.email}.`,
        "The store runs on the company's own server. Nothing is sold or given to advertisers, and no analytics service watches what you do here.",
      ],
    },
    {
      heading: "Your account",
      text: [
        "An account holds your name, your email address and whether it is confirmed, and what you add yourself: education, location, phone and LinkedIn, ship-to addresses with contact and phone, your cart and your saved lists. The password is stored only as a salted hash that cannot be turned back into the password. Passkeys, the key of a second factor and the link to a Google account are stored when you add them.",
        "We need this to let you log in, to protect the account and to assign orders to you.",
      ],
    },
    {
      heading: "Your orders and payments",
      text: [
        "An order holds name, email, delivery address and, if you give them, a phone number, a contact, a PO number and a note to the warehouse, with the tools, quantities, prices and dates. They are needed to deliver, and to keep accounts.",
        "Card payments are made by the card provider, Stripe where the store is connected to it; otherwise payments are a test that takes test cards only. Your card number goes from your browser to the provider and never reaches our server. We store the amount, the result and the provider's transaction id.",
      ],
    },
    {
      heading: "Your reviews",
      text: ["A review is published with your name. An admin can hide it. Your email address is not shown."],
    },
    {
      heading: "Back-in-stock emails",
      text: [
        "If you ask for an email when a tool can be ordered again, we keep your address for it until 30 days after that email, or for a day if you do not confirm it. Every such email has a link that ends them.",
      ],
    },
    {
      heading: "Security records",
      text: [
        "For each login we store the time, network address and browser, so that you can see and end your sessions under Dashboard, Account. Logins, refused logins and changes to an account are recorded with the network address for half a year. Changes to orders, payments and products are recorded with who made them and from which network address, for as long as the accounts of the business are kept.",
      ],
    },
    {
      id: "cookies",
      heading: "Cookies and browser storage",
      text: [
        "There are only cookies that the store cannot work without, so there is no banner to click away. One keeps you logged in and ends when it is not used, by default after three days. One recognizes a browser you have logged in with, so that strangers who guess passwords cannot lock you out; it lasts a year. Short-lived ones belong to a login with Google, a passkey or a code.",
        "The browser also stores your access token, your name for the header, the chosen colour scheme, whether you have seen the first animation, the purchase form while you log in, and your cart. Logging out removes token and name.",
      ],
    },
    {
      heading: "Others who receive data",
      text: [
        "The card provider, when you pay. Google, only when you choose Continue With Google. The map on the home page is drawn from pictures of a map service, by default OpenStreetMap, which thereby sees your network address; it is loaded when you scroll to it. Pictures of tools may be loaded from other hosts in the same way. Our mail server sends the emails about your account and orders.",
      ],
    },
    {
      heading: "Download and deletion",
      text: [
        "Under Dashboard, Account you download everything the store holds about you, and delete the account. Deleting ends every session, removes the login, the profile, addresses, cart, lists and your name, and cancels unpaid orders. Paid orders stay in the accounts without your name; what is still to be delivered keeps the address, contact and note until it has been sent. Invoices and credit notes keep the name and address that they were issued with, as accounts must by law. Reviews stay under the name A former customer.",
        "You can correct your email address and profile yourself. For anything else, write to us.",
      ],
    },
  ],
};

/** `holdHours`: hours until an unpaid order is cancelled; 0: never */
export function termsOf(holdHours: number): LegalText {
  return {
    title: "Terms",
    introduction: `The rules for buying from ${location.name} in this store.`,
    sections: [
      {
        heading: "Who sells",
        text: [
          `${location.name}, ${location.address}, sells its own tools in quantity to companies. All tools are made in our own factory and are authentic.`,
        ],
      },
      {
        heading: "Account",
        text: [
          "You need an account to buy. Keep the password to yourself and use an email address that you read: confirmations and notices about the account go there. An account that is misused can be closed.",
        ],
      },
      {
        heading: "Prices and quantities",
        text: [
          "Prices are in US dollars for one piece. The total of an order is price times quantity and is shown before you order. Each tool has a minimum order; the maximum is the stock at that moment.",
        ],
      },
      {
        heading: "Order",
        text: [
          "An order is placed when you choose Purchase. Price and stock are checked again at that moment, and the pieces are reserved for you.",
          holdHours > 0
            ? `An unpaid order is kept for ${durationOf(holdHours)} and then cancelled automatically. Until you pay you can cancel it yourself under Dashboard, My Orders.`
            : "An unpaid order is kept until you pay it or cancel it yourself under Dashboard, My Orders.",
        ],
      },
      {
        heading: "Payment",
        text: [
          "Orders are paid by card under Dashboard, My Orders. The transaction id is shown with the order and sent by email.",
        ],
      },
      {
        heading: "Shipment and delivery",
        text: [
          "Shipment starts after successful payment. Delivery takes 24 to 72 working hours after an order is completed.",
        ],
      },
      {
        heading: "Cancellation and refunds",
        text: [
          `A paid order can no longer be cancelled in the store. Write to ${orders} with the order number: a refund goes back to the card that paid, and you are told by email.`,
          "Rights that the law gives you, for example when a tool is faulty, are not limited by these terms.",
        ],
      },
      {
        heading: "Reviews",
        text: [
          "Write about your own experience. We hide reviews that are advertising, insulting or not about our tools.",
        ],
      },
    ],
  };
}

export const contact: LegalText = {
  title: "Contact",
  introduction: `How to reach ${location.name}.`,
  sections: [
    {
      heading: "About an order",
      text: [
        "Give the order number. It is shown under Dashboard, My Orders, on every document, and in our emails. If something arrived broken or is missing, say which tool and how many pieces.",
      ],
    },
    {
      heading: "About your account or your data",
      text: [
        "Most of it you can do yourself under Dashboard, Account: change the email address or the password, end sessions, download your data, delete the account. If you cannot log in, use Forgot Password on the login page first.",
      ],
    },
    {
      heading: "A security problem",
      text: [
        "Tell us before you publish it. Describe how it can be repeated; please do not look at the data of others.",
      ],
    },
  ],
};

function durationOf(hours: number): string {
  if (hours % 24 !== 0) return hours === 1 ? "one hour" : `${hours} hours`;
  return hours === 24 ? "one day" : `${hours / 24} days`;
}
