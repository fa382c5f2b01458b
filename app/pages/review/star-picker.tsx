import { Stars } from "../../components/stars.tsx";

const ratings = [1, 2, 3, 4, 5];

/** Out of the tab order: the number field sets the same rating by keyboard. */
export function StarPicker({ rating, onPick }: { rating: number; onPick: (rating: number) => void }) {
  return (
    <div className="star-picker">
      <Stars rating={rating} large />
      {ratings.map((value) => (
        <button
          key={value}
          type="button"
          tabIndex={-1}
          aria-label={`Rate ${value} of 5`}
          onClick={() => onPick(value)}
        />
      ))}
    </div>
  );
}
