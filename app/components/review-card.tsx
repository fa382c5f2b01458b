import type { Review } from "../../api/entities.ts";
import { Stars } from "./stars.tsx";

export function ReviewCard({ review }: { review: Pick<Review, "name" | "rating" | "description"> }) {
  return (
    <article className="review">
      <div className="review__top">
        <h3>{review.name}</h3>
        <Stars rating={review.rating} />
      </div>
      <p>{review.description}</p>
    </article>
  );
}
