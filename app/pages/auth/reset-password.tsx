import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { labels } from "../../../shop/texts/specification.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { FormError } from "../../components/field.tsx";
import { pageTitle } from "../../components/page-title.ts";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { identityRequest } from "../../data/identity-request.ts";
import type { FrameHandle } from "../../root.tsx";
import { AuthFrame, SectionDrawing } from "./auth-frame.tsx";
import { newPasswordRule, toFormRefusal } from "./auth-rules.ts";
import { PasswordField } from "./password-field.tsx";

export const handle: FrameHandle = { frame: "bare" };
export const meta = () => pageTitle("Set a new password");

/** Opened from the reset email, with its token in the URL. */
export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token");
  return (
    <AuthFrame title="Set a new password" drawing={<SectionDrawing />}>
      {token && !search.has("error") ? <NewPassword token={token} /> : <ExpiredLink />}
    </AuthFrame>
  );
}

function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const [isExpired, setIsExpired] = useState(false);
  const form = useFields({ password: newPasswordRule });

  const submit = form.onSubmit(async ({ password }, { refuse }) => {
    const outcome = await identityRequest("POST", "/api/auth/reset-password", {
      token,
      newPassword: password,
    });
    if (!outcome.ok) {
      setIsExpired(outcome.code === "INVALID_TOKEN");
      return refuse(toFormRefusal(outcome));
    }
    toast.success("Your new password is set. Log in with it.");
    await navigate("/login", { replace: true });
  });

  // a form would fail again
  if (isExpired) {
    return (
      <>
        <FormError>{loginRefusals.resetLinkInvalid}</FormError>
        <ExpiredLink explained />
      </>
    );
  }

  return (
    <>
      <FormError>{form.refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <PasswordField isNew label={labels.fields.password} required {...form.field("password")} />
        <Button type="submit" look="primary" size="lg" block busy={form.busy}>
          Set password
        </Button>
      </form>
    </>
  );
}

/** `explained`: the error above gives the reason. The text takes the focus of the removed form. */
function ExpiredLink({ explained = false }: { explained?: boolean }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (explained) text.current?.focus();
  }, [explained]);
  return (
    <>
      <p className="soft" tabIndex={-1} ref={text}>
        {!explained && "This link was used or has expired. "}Enter your email on the login page and choose{" "}
        {labels.login.forgotPassword} to get a new one.
      </p>
      <div>
        <ButtonLink look="ink" size="lg" to="/login">
          {labels.login.login}
        </ButtonLink>
      </div>
    </>
  );
}
