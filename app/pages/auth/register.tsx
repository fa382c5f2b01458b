import { useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { pageTitle } from "../../components/page-title.ts";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { useSignedInUser } from "../../data/session.ts";
import { register, sendVerification } from "../../data/session-api.ts";
import { useBusy } from "../../data/use-busy.ts";
import type { FrameHandle } from "../../root.tsx";
import { AuthFrame, ToolWall } from "./auth-frame.tsx";
import { emailRule, nameRule, newPasswordRule, toFormRefusal } from "./auth-rules.ts";
import { GoogleButton } from "./google-button.tsx";
import { registerReason } from "./login-reason.ts";
import { PasswordField } from "./password-field.tsx";
import { useReturnAfterSignIn } from "./use-return-after-sign-in.ts";

export const handle: FrameHandle = { frame: "bare" };
export const meta = () => pageTitle("Register", "Create an account to buy electric tools in quantity.");

export default function RegisterPage() {
  const from = useReturnAfterSignIn();
  const reason = registerReason(from);
  const [search] = useSearchParams();
  const [unverifiedEmail, setUnverifiedEmail] = useState<string | null>(null);
  const [sending, run] = useBusy();
  // signed in: busy until the page changes
  const isLeaving = useSignedInUser() !== null;
  const form = useFields({ name: nameRule, email: emailRule, password: newPasswordRule });
  const { refusal, setRefusal } = form;

  const submit = form.onSubmit(async ({ name, email, password }, { refuse }) => {
    const outcome = await register(name.trim(), email.trim(), password);
    if (!outcome.ok) refuse(toFormRefusal(outcome));
    else if (outcome.mustVerify) setUnverifiedEmail(email.trim());
    else toast.info(`A verification email is on its way to ${email.trim()}`);
  });

  // the focused form was removed
  useEffect(() => {
    if (unverifiedEmail) focusHeading();
  }, [unverifiedEmail]);

  async function sendAgain(email: string) {
    setRefusal(null);
    const outcome = await sendVerification(email);
    if (outcome.ok) toast.info(`A verification email is on its way to ${email}`);
    else setRefusal(outcome.message);
  }

  if (unverifiedEmail) {
    return (
      <AuthFrame title="Check your email" drawing={<ToolWall />}>
        <FormError>{refusal}</FormError>
        <p className="soft" role="status">
          A verification email is on its way to <b className="whole">{unverifiedEmail}</b>. Open its link,
          then log in.
        </p>
        <div className="ways">
          <ButtonLink look="ink" size="lg" block to={{ pathname: "/login", search: search.toString() }}>
            {labels.login.login}
          </ButtonLink>
          <Button size="lg" block busy={sending} onClick={() => run(() => sendAgain(unverifiedEmail))}>
            Send it again
          </Button>
        </div>
        <p className="soft">
          Not your address?{" "}
          <button type="button" className="link link--strong" onClick={() => setUnverifiedEmail(null)}>
            Register with another one
          </button>
        </p>
      </AuthFrame>
    );
  }

  return (
    <AuthFrame title="Register" drawing={<ToolWall />}>
      {reason && <p className="soft">{reason}</p>}
      <FormError>{refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <TextField label={labels.fields.name} autoComplete="name" required {...form.field("name")} />
        <TextField
          label={labels.fields.email}
          type="email"
          autoComplete="email"
          required
          {...form.field("email")}
        />
        <PasswordField isNew label={labels.fields.password} required {...form.field("password")} />
        <Button type="submit" look="primary" size="lg" block busy={form.busy || isLeaving}>
          Register
        </Button>
      </form>
      <div className="or">or</div>
      <GoogleButton from={from} onRefusal={setRefusal} />
      <p className="soft">
        Already have an account?{" "}
        <Link
          className="link link--strong"
          prefetch="intent"
          to={{ pathname: "/login", search: search.toString() }}
        >
          {labels.login.login}
        </Link>
      </p>
    </AuthFrame>
  );
}
