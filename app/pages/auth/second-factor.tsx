import { Link } from "react-router";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { filled, useFields } from "../../components/use-fields.ts";
import { verifySecondFactor } from "../../data/session-api.ts";

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function SecondFactor({ onBack }: { onBack: () => void }) {
  const form = useFields({ code: filled("Code is required") });

  const submit = form.onSubmit(async ({ code }) => {
    const outcome = await verifySecondFactor(code);
    if (!outcome.ok) form.setRefusal(outcome.message);
  });

  return (
    <>
      <FormError>{form.refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <TextField
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          autoFocus // the focused form was removed
          note="Six digits from your app, or a recovery code"
          {...form.field("code")}
        />
        <Button type="submit" look="primary" size="lg" block busy={form.busy}>
          Continue
        </Button>
      </form>
      <p className="soft">
        Without your app and your recovery codes,{" "}
        <Link className="link" to="/contact">
          contact the store
        </Link>
        .
      </p>
      <div>
        <Button look="quiet" size="sm" className="btn--underlined" onClick={onBack}>
          Back to login
        </Button>
      </div>
    </>
  );
}
