import { useCallback, useId } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { Failure } from "../../../api/outcome.ts";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { FieldError, TextArea } from "../../components/field.tsx";
import { formRules } from "../../components/form-rules.ts";
import { PageHead } from "../../components/page-head.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { toast } from "../../components/toast.ts";
import { UnsavedChangesPrompt } from "../../components/unsaved-changes-prompt.tsx";
import { call } from "../../data/api-client.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import { useSingleFlight } from "../../data/use-single-flight.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";
import { ReviewPreview } from "./review-preview.tsx";
import { StarPicker } from "./star-picker.tsx";

export const meta = () => pageTitle("Add a Review");

const rules = formRules(async () => (await import("../../../api/review-form.ts")).reviewForm.shape);

interface ReviewFields {
  /** null while nothing was entered, NaN while it is no number */
  rating: number | null;
  description: string;
}

const empty: ReviewFields = { rating: null, description: "" };

export default function ReviewPage() {
  const { user } = useDashboard();
  const { form, submit } = useReview(user.name);
  const { errors, isSubmitting } = form.formState;
  const { rating, description } = useWatch({ control: form.control }) as ReviewFields;
  const warning = warningOf(rating);
  const ratingError = warning ?? errors.rating?.message;
  const id = useId();
  const { getValues } = form;
  const isUnsaved = useCallback(() => {
    const typed = getValues();
    return typed.description.trim() !== "" || Number.isFinite(typed.rating);
  }, [getValues]);

  return (
    <>
      <PageHead title={labels.menu.addReview} fact="It appears on the home page under your name." />
      <div className="pay pay--wide">
        <form className="panel" method="post" noValidate onFocus={rules.fetch} onSubmit={submit}>
          <div className="panel__bd">
            <div className="field">
              <label htmlFor={id}>
                Rating <small>1 to 5</small>
              </label>
              <div className="rating">
                <input
                  id={id}
                  className="input rating__input"
                  type="number"
                  min={1}
                  max={5}
                  step="any"
                  inputMode="decimal"
                  required
                  aria-invalid={Boolean(ratingError)}
                  aria-describedby={ratingError ? `${id}-error` : undefined}
                  {...form.register("rating", {
                    valueAsNumber: true,
                    validate: (value) => rules.problem("rating", value),
                  })}
                />
                <StarPicker
                  rating={rating || 0}
                  onPick={(picked) =>
                    form.setValue("rating", picked, { shouldDirty: true, shouldValidate: true })
                  }
                />
              </div>
              {ratingError && <FieldError id={`${id}-error`}>{ratingError}</FieldError>}
            </div>
            <TextArea
              label="Review"
              rows={6}
              required
              error={errors.description?.message}
              {...form.register("description", {
                validate: (value) => rules.problem("description", value),
              })}
            />
            <Button
              type="submit"
              look="primary"
              size="lg"
              busy={isSubmitting}
              disabled={warning !== undefined}
            >
              Add Review
            </Button>
          </div>
        </form>
        <ReviewPreview name={user.name} rating={rating} description={description} />
      </div>
      <UnsavedChangesPrompt isUnsaved={isUnsaved}>Your review will be lost.</UnsavedChangesPrompt>
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
  const once = useSingleFlight();
  const form = useForm<ReviewFields>({ mode: "onTouched", defaultValues: empty });

  async function show({ status, detail, fields }: Failure) {
    if (status === 401) return endSession();
    if (fields?.rating) form.setError("rating", { message: fields.rating });
    if (fields?.description) form.setError("description", { message: fields.description });
    if (!fields?.rating && !fields?.description) toast.error(detail);
  }

  const submit = form.handleSubmit((fields) => once(() => send(fields)));

  async function send(fields: ReviewFields) {
    const answer = await call("addReview", { body: { name, ...fields, rating: fields.rating ?? 0 } });
    if (!answer.ok) return show(answer);
    toast.success(messages.review.added);
    form.reset(empty);
  }
  return { form, submit };
}
