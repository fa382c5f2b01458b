import type { Review } from "../../../../api/entities.ts";
import { labels } from "../../../../shop/texts/specification.ts";
import { ReviewCard } from "../../../components/review-card.tsx";
import { Spinner } from "../../../components/spinner.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { useListOrFetch } from "./use-list-or-fetch.ts";

export function CustomerReviews({ reviews }: { reviews: Review[] }) {
  const list = useListOrFetch(reviews, "/reviews");
  const shown = list.items.slice(0, 6);
  return (
    <section className="sec sheet" aria-labelledby="reviews">
      <div className="split">
        <div className="split__rail">
          <h2 className="t-h1" id="reviews">
            {labels.home.customerReviews}
          </h2>
          {shown.length > 1 && <Average reviews={shown} />}
        </div>
        <div className="split__main">
          {list.phase === "loading" && <Spinner label="Loading reviews" />}
          {list.phase === "failed" && (
            <ErrorState onRetry={list.retry}>
              The reviews could not be loaded. Your connection or our server did not respond.
            </ErrorState>
          )}
          {list.phase === "ready" && shown.length === 0 && (
            <p className="soft">
              No reviews yet. Buyers write them under Dashboard, {labels.menu.addReview}.
            </p>
          )}
          {shown.length > 0 && (
            <div className="reviews">
              {shown.map((review) => (
                <ReviewCard key={review._id} review={review} />
              ))}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

function Average({ reviews }: { reviews: Review[] }) {
  const average = reviews.reduce((sum, review) => sum + review.rating, 0) / reviews.length;
  const numberWords = ["two", "three", "four", "five", "six"];
  return (
    <p className="score">
      <b className="num">{average.toFixed(1)}</b>
      <span className="soft">average of these {numberWords[reviews.length - 2]} reviews</span>
    </p>
  );
}
