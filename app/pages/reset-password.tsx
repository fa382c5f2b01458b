import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { labels } from "../../shop/messages.ts";
import { loginRefusals } from "../../shop/users/refusals.ts";
import { setPassword } from "../identity.ts";
import { pageTitle } from "../page-title.ts";
import type { FrameHandle } from "../root.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError, TextField } from "../ui/field.tsx";
import { toast } from "../ui/toast.ts";
import { useFields } from "../ui/use-fields.ts";
import { AuthFrame, SectionDrawing } from "./auth/auth-frame.tsx";
import { newPasswordRule } from "./auth/rules.ts";

export const handle: FrameHandle = { frame: "bare" };
export const meta = () => pageTitle("Set a new password");

/** Reached from the reset mail, with its token in the address. */
export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token");
  return (
    <AuthFrame title="Set a new password" drawing={<SectionDrawing />}>
      {token && !search.has("error") ? <NewPassword token={token} /> : <DeadLink />}
    </AuthFrame>
  );
}

function NewPassword({ token }: { token: string }) {
  const navigate = useNavigate();
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isDead, setIsDead] = useState(false);
  const form = useFields({ password: newPasswordRule });

  const submit = form.onSubmit(async ({ password }) => {
    setRefusal(null);
    const answer = await setPassword(token, password);
    if (!answer.ok) {
      setIsDead(answer.code === "INVALID_TOKEN");
      return setRefusal(answer.message);
    }
    toast.success("Your new password is set. Log in with it.");
    await navigate("/login", { replace: true });
  });

  // no form that can only fail again
  if (isDead) {
    return (
      <>
        <FormError>{loginRefusals.resetLinkInvalid}</FormError>
        <DeadLink told />
      </>
    );
  }

  return (
    <>
      <FormError>{refusal}</FormError>
      <form method="post" noValidate onSubmit={submit}>
        <TextField
          label={labels.fields.password}
          type="password"
          autoComplete="new-password"
          required
          note="At least 6 characters"
          {...form.field("password")}
        />
        <Button type="submit" look="primary" size="lg" block busy={form.busy}>
          Set password
        </Button>
      </form>
    </>
  );
}

/** `told` = the refusal above says already why; the words take the focus of the form that is gone. */
function DeadLink({ told = false }: { told?: boolean }) {
  const words = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (told) words.current?.focus();
  }, [told]);
  return (
    <>
      <p className="soft" tabIndex={-1} ref={words}>
        {!told && "This link is used up or too old. "}Enter your email on the login page and choose{" "}
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
