import { Stars } from "../../components/stars.tsx";

export function ReviewPreview({
  name,
  rating,
  description,
}: {
  name: string;
  rating: number | null;
  description: string;
}) {
  return (
    <section aria-labelledby="preview">
      <h2 className="t-label preview__label" id="preview">
        As it will appear
      </h2>
      <article className="review review--preview">
        <div className="review__top">
          <h3>{name}</h3>
          <Stars rating={rating || 0} />
        </div>
        <p>{description.trim() || <span className="muted">Your review appears here.</span>}</p>
      </article>
    </section>
  );
}
