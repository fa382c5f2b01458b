import { memo } from "react";
import { pageTitle } from "../../../components/page-title.ts";
import { storefront } from "../../../data/loader-context.ts";
import { toCardProduct } from "../../../data/product-projections.ts";
import type { Route } from "./+types/home.ts";
import { BusinessSummary } from "./business-summary.tsx";
import { CustomerReviews } from "./customer-reviews.tsx";
import { Hero } from "./hero.tsx";
import { hero } from "./home-texts.ts";
import { OurLocation } from "./our-location.tsx";
import { OurTools } from "./our-tools.tsx";
import { QuestionAndAnswer } from "./question-and-answer.tsx";
import { storeData } from "./store-data.ts";

/** Specification, section 9: the home page shows at most 6 products and 6 reviews. */
const SHOWN = 6;

export const meta: Route.MetaFunction = ({ matches }) => [
  ...pageTitle("Electric tools from the factory", hero.text),
  storeData(matches[0].loaderData.config.publicUrl),
];

export async function loader({ context }: Route.LoaderArgs) {
  const store = context.get(storefront);
  const [products, reviews] = await Promise.all([store.listProducts(SHOWN), store.listReviews(SHOWN)]);
  return { products: products.map(toCardProduct), reviews };
}

/** The six sections in the specification's order. */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  return <Sections {...loaderData} />;
}

type Content = Route.ComponentProps["loaderData"];

/** Not re-rendered during a navigation. */
const Sections = memo(function Sections({ products, reviews }: Content) {
  return (
    <main id="main">
      <Hero />
      <OurTools products={products} />
      <BusinessSummary />
      <CustomerReviews reviews={reviews} />
      <QuestionAndAnswer />
      <OurLocation />
    </main>
  );
});
