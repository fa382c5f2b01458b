import type { z } from "zod";
import type { profileForm } from "../../../api/profile-form.ts";
import { refusals } from "../../../shop/texts/refusals.ts";
import { messages } from "../../../shop/texts/specification.ts";
import { Button } from "../../components/button.tsx";
import { FieldError } from "../../components/field.tsx";
import { formRules } from "../../components/form-rules.ts";
import { toast } from "../../components/toast.ts";
import { useFields } from "../../components/use-fields.ts";
import { call } from "../../data/api-client.ts";
import { useSessionExpired } from "../../data/use-session-expired.ts";
import { useDashboard } from "../dashboard/dashboard-layout.tsx";

const rules = formRules(async () => (await import("../../../api/profile-form.ts")).profileForm.shape);

export interface ProfileFieldProps {
  name: keyof z.infer<typeof profileForm>;
  label: string;
  /** if it is empty */
  required: string;
  placeholder: string;
  type?: "text" | "tel" | "url";
  autoComplete?: string;
}

/** One field of the profile, saved separately; the saved value is under its label. */
export function ProfileField({ name, label, required, placeholder, type, autoComplete }: ProfileFieldProps) {
  const { user, refresh } = useDashboard();
  const endSession = useSessionExpired();
  const form = useFields({
    value: (value) => (value.trim() === "" ? required : rules.problem(name, value)),
  });
  const { error, ...field } = form.field("value");

  const submit = form.onSubmit(async ({ value }, sent) => {
    const outcome = await call("updateProfile", { params: { email: user.email }, body: { [name]: value } });
    if (outcome.ok && outcome.data.lastErrorObject.updatedExisting) {
      toast.success(messages.profile.updated);
      sent.empty();
      await refresh();
    } else if (outcome.ok) toast.error(refusals.userNotFound);
    else if (outcome.status === 401) await endSession();
    else if (outcome.fields?.[name]) sent.refuse({ fields: { value: outcome.fields[name] } });
    else toast.error(outcome.detail);
  });

  return (
    <form className="row" method="post" noValidate onFocus={rules.fetch} onSubmit={submit} aria-label={label}>
      <div className="row__k">
        <b>
          <label htmlFor={name}>{label}</label>
        </b>
        <span className="row__saved">{user[name] ?? "Not saved yet"}</span>
      </div>
      <div className="row__f">
        <input
          id={name}
          className="input"
          type={type ?? "text"}
          inputMode={type}
          autoComplete={autoComplete}
          placeholder={placeholder}
          aria-invalid={Boolean(error)}
          aria-describedby={error && `${name}-error`}
          {...field}
        />
        <Button type="submit" busy={form.busy} aria-label={`Update ${label}`}>
          Update
        </Button>
        {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
      </div>
    </form>
  );
}
