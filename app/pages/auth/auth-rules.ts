/** Validation of login, register and the new password (specification, section 5). */
import { messages } from "../../../shop/texts/specification.ts";
import type { Rule } from "../../components/use-fields.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const MIN_PASSWORD_LENGTH = 6;

export const nameRule: Rule = (name) => (name.trim() ? undefined : messages.register.nameRequired);

export const emailRule: Rule = (email) => {
  if (!email.trim()) return messages.login.emailRequired;
  return EMAIL.test(email.trim()) ? undefined : messages.login.emailInvalid;
};

export const passwordRule: Rule = (password) => (password ? undefined : messages.login.passwordRequired);

export const newPasswordRule: Rule = (password) => {
  if (!password) return messages.register.passwordRequired;
  return password.length < MIN_PASSWORD_LENGTH ? messages.register.passwordTooShort : undefined;
};
