import { memo } from "react";
import { labels } from "../../../../shop/texts/specification.ts";
import { pageTitle } from "../../../components/page-title.ts";
import { storefront } from "../../../data/loader-context.ts";
import { toCardProduct } from "../../../data/product-projections.ts";
import type { Route } from "./+types/home.ts";
import { BusinessSummary } from "./business-summary.tsx";
import { CustomerReviews } from "./customer-reviews.tsx";
import { Hero } from "./hero.tsx";
import { hero, questions } from "./home-texts.ts";
import { OurLocation } from "./our-location.tsx";
import { OurTools } from "./our-tools.tsx";
import { structuredData } from "./structured-data.ts";

/** Specification, section 9: the home page shows at most 6 products and 6 reviews. */
const MAX_SHOWN = 6;

export const meta: Route.MetaFunction = ({ matches }) => [
  ...pageTitle("Electric tools from the factory", hero.text),
  structuredData(matches[0].loaderData.config.publicUrl),
];

export async function loader({ context }: Route.LoaderArgs) {
  const store = context.get(storefront);
  const [products, reviews] = await Promise.all([
    store.listProducts(MAX_SHOWN),
    store.listReviews(MAX_SHOWN),
  ]);
  return { products: products.map(toCardProduct), reviews };
}

/** The six sections in the specification's order. */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  return <Sections {...loaderData} />;
}

type HomeData = Route.ComponentProps["loaderData"];

/** Not re-rendered during a navigation. */
const Sections = memo(function Sections({ products, reviews }: HomeData) {
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

/** An exclusive accordion without scripts. */
function QuestionAndAnswer() {
  return (
    <section className="sec sec--follows sheet" aria-labelledby="questions">
      <div className="split">
        <div className="split__rail">
          <h2 className="t-h1" id="questions">
            {labels.home.questionAndAnswer}
          </h2>
        </div>
        <div className="split__main qa">
          {questions.map((item) => (
            <details key={item.question} name="questions" open={item.figure === "delivery"}>
              <summary>
                {item.question}
                <span className="pm" />
              </summary>
              <div className="qa__a">
                {item.answer}
                {item.figure === "delivery" && <DeliveryLine />}
              </div>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}

const PX_PER_HOUR = 6.025;
const xOf = (hours: number) => 2 + Math.round(hours * PX_PER_HOUR);
const ticks = Array.from({ length: 17 }, (_, position) => position * 6);

/** The delivery promise as a dimension line: 24 to 72 working hours on a scale from the order's completion. */
function DeliveryLine() {
  return (
    <div className="hours">
      <svg
        viewBox="0 0 600 80"
        width="600"
        height="80"
        role="img"
        aria-label="Delivery falls between 24 and 72 working hours after an order is completed"
      >
        <path d="M2 44H580" stroke="var(--line-strong)" />
        <rect x={xOf(24)} y="30" width={xOf(72) - xOf(24)} height="14" fill="currentColor" />
        <path d={`M${xOf(24)} 8V30M${xOf(72)} 8V30M${xOf(24)} 14H${xOf(72)}`} stroke="currentColor" />
        <path d={`M${xOf(24)} 14l10-4v8zM${xOf(72)} 14l-10-4v8z`} fill="currentColor" />
        {ticks.map((hours) => (
          <path
            key={hours}
            d={`M${xOf(hours)} 44v${hours % 24 === 0 ? 10 : 6}`}
            stroke="currentColor"
            strokeWidth={hours % 24 === 0 ? 1.5 : 1}
          />
        ))}
        <g className="hours__text">
          <text className="hours__start" x="2" y="72">
            Order completed
          </text>
          <text className="hours__zero" x="2" y="72">
            0
          </text>
          {[24, 48, 72].map((hours) => (
            <text key={hours} x={xOf(hours)} y="72" textAnchor="middle">
              {hours} h
            </text>
          ))}
        </g>
        <rect x={xOf(48) - 44} y="4" width="88" height="20" fill="var(--paper)" />
        <text className="hours__name" x={xOf(48)} y="19" textAnchor="middle">
          Delivery
        </text>
      </svg>
    </div>
  );
}
