import { pageTitle } from "../../components/page-title.ts";
import { contact, office } from "./legal-texts.ts";
import { PlaceFacts } from "./place-facts.tsx";
import { TextPage } from "./text-page.tsx";

export const meta = () => pageTitle(contact.title, contact.introduction);

export default function ContactPage() {
  return (
    <TextPage text={contact}>
      <section className="docs__call">
        <h2 className="t-h3">Address, telephone and email</h2>
        <div className="post__text">
          <PlaceFacts />
          <p>
            For anything that is not about an order:{" "}
            <a className="link" href={`mailto:${office.email}`}>
              {office.email}
            </a>
          </p>
        </div>
      </section>
    </TextPage>
  );
}
