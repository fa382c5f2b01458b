import type { ReactNode } from "react";
import type { Review } from "../../api/entities.ts";
import { classNames } from "./class-names.ts";
import { Stars } from "./stars.tsx";

interface ReviewCardProps {
  review: Pick<Review, "name" | "rating"> & { description: ReactNode };
  className?: string;
}

export function ReviewCard({ review, className }: ReviewCardProps) {
  return (
    <article className={classNames("review", className)}>
      <div className="review__top">
        <h3>{review.name}</h3>
        <Stars rating={review.rating} />
      </div>
      <p>{review.description}</p>
    </article>
  );
}
