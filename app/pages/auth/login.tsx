import { type MouseEvent, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Link, useSearchParams } from "react-router";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { labels, messages } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { FormError, TextField } from "../../components/field.tsx";
import { focusHeading } from "../../components/focus-heading.ts";
import { pageTitle } from "../../components/page-title.ts";
import { Spinner } from "../../components/spinner.tsx";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { identityRequest } from "../../data/identity-request.ts";
import { withPasskeys } from "../../data/load-passkeys.ts";
import { readUser, useSignedInUser } from "../../data/session.ts";
import { restoreSession, signInWithPassword } from "../../data/session-api.ts";
import { useBusy } from "../../data/use-busy.ts";
import type { FrameHandle } from "../../root.tsx";
import { AuthFrame, SectionDrawing } from "./auth-frame.tsx";
import { emailRule, passwordRule } from "./auth-rules.ts";
import { GoogleButton } from "./google-button.tsx";
import { loginReason } from "./login-reason.ts";
import { PasswordField } from "./password-field.tsx";
import { returnErrorMessage } from "./return-errors.ts";
import { SecondFactor } from "./second-factor.tsx";
import { useReturnAfterSignIn } from "./use-return-after-sign-in.ts";

const CONFIRMED = "Your email address is confirmed.";

export const handle: FrameHandle = { frame: "bare" };
export const meta = () => pageTitle("Login", "Log in to place purchase orders and follow them.");

export default function LoginPage() {
  const [search] = useSearchParams();
  const isConfirming = search.has("confirm");
  const [hasSignedIn, setHasSignedIn] = useState(false);
  const from = useReturnAfterSignIn(isConfirming && !hasSignedIn);
  const reason = loginReason(from);
  const google = useGoogleReturn();
  const [needsCode, setNeedsCode] = useState(search.has("code"));
  useEmailConfirmedToast();
  // signed in: busy until the page changes
  const isLeaving = useSignedInUser() !== null;
  const email = useRef<HTMLInputElement>(null);
  const form = useFields({ email: emailRule, password: passwordRule });
  const { refusal, setRefusal } = form;

  const submit = form.onSubmit(async (values) => {
    const confirmToken = isConfirming ? window.location.hash.slice(1) : null;
    const outcome = await signInWithPassword(values.email.trim(), values.password, confirmToken);
    if (outcome.ok) {
      if (isConfirming && outcome.confirmed) toast.success(CONFIRMED);
      setHasSignedIn(true);
      return setNeedsCode(outcome.needsCode);
    }
    const isUnconfirmed = outcome.code === "EMAIL_NOT_VERIFIED";
    setRefusal(isUnconfirmed ? loginRefusals.confirmEmailFirst : outcome.message);
  });

  async function forgotPassword({ detail }: MouseEvent) {
    if (detail > 1) return; // the second press of a double click
    const typedEmail = email.current?.value.trim();
    if (!typedEmail) return toast.info(messages.login.provideEmailFirst);
    setRefusal(null);
    if (!(await form.check("email", typedEmail))) return email.current?.focus();
    // the response does not reveal whether the account exists
    const outcome = await identityRequest("POST", "/api/auth/request-password-reset", {
      email: typedEmail,
      redirectTo: "/reset-password",
    });
    if (outcome.ok) toast.success(messages.login.resetEmailSent);
    else setRefusal(outcome.message);
  }

  function backToLogin() {
    flushSync(() => setNeedsCode(false));
    focusHeading(); // the pressed button is gone
  }

  if (needsCode) {
    return (
      <AuthFrame title="Enter your code" drawing={<SectionDrawing />}>
        <SecondFactor onBack={backToLogin} />
      </AuthFrame>
    );
  }

  return (
    <AuthFrame title={isConfirming ? "Confirm your email" : labels.login.login} drawing={<SectionDrawing />}>
      {isConfirming ? <ConfirmHelp /> : reason && <p className="soft">{reason}</p>}
      <FormError>{refusal ?? google.refusal}</FormError>
      {google.busy && <Spinner label="Signing you in" />}
      <form method="post" noValidate onSubmit={submit}>
        <TextField
          label={labels.fields.email}
          type="email"
          autoComplete="email"
          required
          ref={email}
          {...form.field("email")}
        />
        <PasswordField label={labels.fields.password} required {...form.field("password")} />
        <div>
          <Button look="quiet" size="sm" className="btn--underlined" onClick={forgotPassword}>
            {labels.login.forgotPassword}
          </Button>
        </div>
        <Button type="submit" look="primary" size="lg" block busy={form.busy || isLeaving}>
          {labels.login.login}
        </Button>
      </form>
      {!isConfirming && <OtherSignInMethods from={from} onRefusal={setRefusal} />}
    </AuthFrame>
  );
}

/** A confirmation link alone is not enough: somebody else may have registered the email address. */
function ConfirmHelp() {
  return (
    <p className="soft">
      Log in with the password you registered with, and your address is confirmed. If you did not create this
      account, choose Forgot Password: a new password makes the account yours and signs out everybody else.
    </p>
  );
}

function OtherSignInMethods({
  from,
  onRefusal,
}: {
  from: string;
  onRefusal: (message: string | null) => void;
}) {
  return (
    <>
      <div className="or">or</div>
      <div className="ways">
        <GoogleButton from={from} onRefusal={onRefusal} />
        <PasskeyButton onRefusal={onRefusal} />
      </div>
      <p className="soft">
        New to Stator?{" "}
        <Link className="link link--strong" prefetch="intent" to={withReturnPath("/register", from)}>
          Create an account
        </Link>
      </p>
    </>
  );
}

/** Google redirects here, with a session or a reason of failure. */
function useGoogleReturn(): { busy: boolean; refusal: string | null } {
  const [search] = useSearchParams();
  const reason = search.get("error");
  const hasReturned = search.has("google") && !search.has("code") && !reason;
  const [refusal, setRefusal] = useState<string | null>(null);
  useEffect(() => {
    if (!hasReturned) return;
    void restoreSession().then((outcome) => {
      if (!outcome.ok) setRefusal(outcome.message);
    });
  }, [hasReturned]);
  return { busy: hasReturned && !refusal, refusal: returnErrorMessage(reason) ?? refusal };
}

/** Shows that the email address is confirmed, after the link of the verification email. */
function useEmailConfirmedToast(): void {
  const [search] = useSearchParams();
  const isConfirmed = search.has("verified") && !search.has("error");
  useEffect(() => {
    if (!isConfirmed) return;
    toast.success(CONFIRMED);
    // the email may be a new one; a visitor stays signed out
    if (readUser()) void restoreSession();
  }, [isConfirmed]);
}

function withReturnPath(path: string, from: string): string {
  return from === "/" ? path : `${path}?from=${encodeURIComponent(from)}`;
}

/** Signs in with a passkey; the functions are loaded on demand. */
function PasskeyButton({ onRefusal }: { onRefusal: (message: string | null) => void }) {
  const [busy, run] = useBusy();

  async function signIn() {
    onRefusal(null);
    const outcome = await withPasskeys((passkeys) => passkeys.signInWithPasskey());
    if (!outcome.ok) onRefusal(outcome.message);
  }

  return (
    <Button size="lg" block className="btn--google" busy={busy} onClick={() => run(signIn)}>
      Continue with a passkey
    </Button>
  );
}
