import { useRef, useState } from "react";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { Field, TextArea } from "../../components/field.tsx";
import { formRules } from "../../components/form-rules.ts";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { ReviewCard } from "../../components/review-card.tsx";
import { Stars } from "../../components/stars.tsx";
import { toast } from "../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../components/unsaved-changes-prompt.tsx";
import { useFields } from "../../components/use-fields.ts";
import { useCallOnce } from "../../data/call-once.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";

export const meta = () => pageTitle("Add a Review");

const rules = formRules(async () => (await import("../../../api/review-form.ts")).reviewForm.shape);

const blank = { rating: "", description: "" };

export default function ReviewPage() {
  const { user } = useDashboard();
  const { form, submit, typed, setTyped } = useReview(user.name);
  const rating = typed.rating === "" ? null : Number(typed.rating);
  const warning = warningOf(rating);
  const { error, ...ratingField } = form.field("rating");
  const ratingInput = useRef<HTMLInputElement>(null);

  function chooseRating(stars: number) {
    if (!ratingInput.current) return;
    ratingInput.current.value = String(stars);
    setTyped({ ...typed, rating: String(stars) });
    void form.check("rating", String(stars));
  }

  return (
    <>
      <PageHead title={labels.menu.addReview} fact="It appears on the home page under your name." />
      <div className="pay pay--wide">
        <form
          className="panel"
          method="post"
          noValidate
          onFocus={rules.fetch}
          onSubmit={submit}
          onChange={({ currentTarget }) => {
            const entered = new FormData(currentTarget);
            setTyped({
              rating: String(entered.get("rating")),
              description: String(entered.get("description")),
            });
          }}
        >
          <div className="panel__bd">
            <Field label="Rating" note="1 to 5" error={warning ?? error}>
              {(input) => (
                <div className="rating">
                  <input
                    {...input}
                    className="input rating__input"
                    type="number"
                    min={1}
                    max={5}
                    step="any"
                    inputMode="decimal"
                    required
                    ref={ratingInput}
                    // the wheel scrolls the page: in a focused field it would change the number
                    onWheel={({ currentTarget }) => currentTarget.blur()}
                    {...ratingField}
                  />
                  <StarPicker rating={rating ?? 0} onPick={chooseRating} />
                </div>
              )}
            </Field>
            <TextArea label="Review" rows={6} required {...form.field("description")} />
            <Button type="submit" look="primary" size="lg" busy={form.busy} disabled={warning !== undefined}>
              Add Review
            </Button>
          </div>
        </form>
        <section aria-labelledby="preview">
          <h2 className="t-label preview__label" id="preview">
            As it will appear
          </h2>
          <ReviewCard
            className="review--preview"
            review={{
              name: user.name,
              rating: rating || 0,
              description: typed.description.trim() || (
                <span className="muted">Your review appears here.</span>
              ),
            }}
          />
        </section>
      </div>
      <UnsavedChangesPrompt isUnsaved={() => typed.description.trim() !== "" || typed.rating !== ""}>
        Your review will be lost.
      </UnsavedChangesPrompt>
    </>
  );
}

/** The specification's two warnings, shown while typing (section 5). */
function warningOf(rating: number | null): string | undefined {
  if (rating === null) return undefined;
  if (rating < 0) return messages.review.negative;
  return rating > 5 ? messages.review.aboveMaximum : undefined;
}

function useReview(name: string) {
  const endSession = useSessionExpired();
  const callOnce = useCallOnce();
  const [typed, setTyped] = useState(blank);
  const form = useFields(
    {
      rating: (text) => rules.problem("rating", text === "" ? null : Number(text)),
      description: (text) => rules.problem("description", text),
    },
    { eager: true },
  );

  const submit = form.onSubmit(async ({ rating, description }, sent) => {
    const body = { name, rating: Number(rating), description };
    const outcome = await callOnce("addReview", { body });
    if (outcome.ok) {
      toast.success(messages.review.added);
      return setTyped(sent.empty());
    }
    if (outcome.status === 401) return endSession();
    if (!sent.refuse(outcome)) toast.error(outcome.detail);
  });
  return { form, submit, typed, setTyped };
}

const ratings = [1, 2, 3, 4, 5];

/** Out of the tab order: the number field sets the same rating by keyboard. */
function StarPicker({ rating, onPick }: { rating: number; onPick: (rating: number) => void }) {
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
