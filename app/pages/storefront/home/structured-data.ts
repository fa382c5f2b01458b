import type { MetaDescriptor } from "react-router";
import { hero, location, questions } from "./home-texts.ts";

/** Structured data for search engines (schema.org JSON-LD). `publicUrl` has no closing slash. */
export function structuredData(publicUrl: string): MetaDescriptor {
  const seller = { "@id": `${publicUrl}/#seller` };
  return {
    "script:ld+json": {
      "@context": "https://schema.org",
      "@graph": [
        {
          "@type": "Organization",
          ...seller,
          name: "Stator",
          legalName: location.name,
          url: `${publicUrl}/`,
          logo: `${publicUrl}/icons/512.png`,
          description: hero.text,
          address: location.address,
        },
        {
          "@type": "WebSite",
          name: "Stator",
          url: `${publicUrl}/`,
          publisher: seller,
          potentialAction: {
            "@type": "SearchAction",
            target: `${publicUrl}/tools?q={words}`,
            "query-input": "required name=words",
          },
        },
        {
          "@type": "FAQPage",
          mainEntity: questions.map(({ question, answer }) => ({
            "@type": "Question",
            name: question,
            acceptedAnswer: { "@type": "Answer", text: answer },
          })),
        },
      ],
    },
  };
}
