/** Validation of login, register and the new password (specification, section 5). */
import { loginRefusals } from "../../../shop/texts/login-refusals.ts";
import { messages } from "../../../shop/texts/specification.ts";
import type { Rule } from "../../components/use-fields.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MIN_PASSWORD_LENGTH = 6;
/** As in providers/identity/connect-identity.ts. */
const MAX_PASSWORD_LENGTH = 128;

export const nameRule: Rule = (name) => (name.trim() ? undefined : messages.register.nameRequired);

export const emailRule: Rule = (email) => {
  if (!email.trim()) return messages.login.emailRequired;
  return EMAIL.test(email.trim()) ? undefined : messages.login.emailInvalid;
};

export const passwordRule: Rule = (password) => (password ? undefined : messages.login.passwordRequired);

export const newPasswordRule: Rule = (password) => {
  if (!password) return messages.register.passwordRequired;
  if (password.length < MIN_PASSWORD_LENGTH) return messages.register.passwordTooShort;
  return password.length > MAX_PASSWORD_LENGTH ? loginRefusals.passwordTooLong : undefined;
};

/** The fields that the identity library's refusals are about. */
const fieldsByCode: Record<string, string> = {
  INVALID_NAME: "name",
  INVALID_EMAIL: "email",
  INVALID_PASSWORD: "password",
  INVALID_CODE: "code",
  PASSWORD_TOO_SHORT: "password",
  PASSWORD_TOO_LONG: "password",
  PASSWORD_TOO_COMMON: "password",
};

/** For the `refuse` of a form: at a field, or above the form. */
export function toFormRefusal({ code = "", message }: { code?: string | undefined; message: string }) {
  const field = fieldsByCode[code];
  return field ? { fields: { [field]: message } } : { detail: message };
}
