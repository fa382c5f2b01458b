import { useEffect, useRef, useState } from "react";
import { ActionButton } from "../../../components/action-button.tsx";
import { Button } from "../../../components/button.tsx";
import { FormError, TextField } from "../../../components/field.tsx";
import { useFields } from "../../../components/use-fields.ts";
import { call } from "../../../data/api-client.ts";
import { useSignedInUser } from "../../../data/session.ts";
import { useAccountKey } from "../../../data/use-account-key.ts";
import { useHydrated } from "../../../data/use-browser-value.ts";
import { useSessionExpired } from "../../../data/use-session-expired.ts";
import { emailRule } from "../../auth/auth-rules.ts";

interface StockAlertProps {
  productId: string;
  /** the product is in stock already */
  onOrderable: () => void;
}

/** A back-in-stock alert: one click for users, with an email address for visitors. */
export function StockAlert(props: StockAlertProps) {
  const email = useSignedInUser()?.email;
  const account = useAccountKey();
  // until then the user is unknown, and a visitor was led to the login
  const hydrated = useHydrated();
  return email || !hydrated ? (
    <UserAlert key={account} {...props} email={email} />
  ) : (
    <VisitorAlert {...props} />
  );
}

function UserAlert({ productId, onOrderable, email = "" }: StockAlertProps & { email: string | undefined }) {
  const params = { id: productId };
  const [waiting, setWaiting] = useState(false);
  const [isLinkSent, setIsLinkSent] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const endSession = useSessionExpired();
  const firstLoad = useRef<AbortController>(null);
  useEffect(() => {
    const controller = new AbortController();
    firstLoad.current = controller;
    call("findStockAlert", { params: { id: productId } }, controller.signal).then(
      // without a response the button stays: the call is idempotent
      (outcome) => outcome.ok && setWaiting(outcome.data.waiting),
      () => undefined,
    );
    return () => controller.abort();
  }, [productId]);

  async function subscribe() {
    setRefusal(undefined);
    // its response would be older
    firstLoad.current?.abort();
    const outcome = await call("addStockAlert", { params });
    if (outcome.ok && outcome.data.alert === "orderable") return onOrderable();
    if (outcome.ok && outcome.data.alert === "confirm") return setIsLinkSent(true);
    if (!outcome.ok && outcome.status === 401) return endSession();
    if (!outcome.ok) return setRefusal(outcome.detail);
    setWaiting(true);
  }

  async function unsubscribe() {
    setRefusal(undefined);
    const outcome = await call("removeStockAlert", { params });
    if (outcome.ok) setWaiting(false);
    else setRefusal(outcome.detail);
  }

  if (isLinkSent) return <LinkSent email={email} />;
  return (
    <div className="alert-me">
      <FormError>{refusal}</FormError>
      <p role="status">{waiting && `We send one email to ${email} when this tool can be ordered again.`}</p>
      {waiting ? (
        <ActionButton onClick={unsubscribe}>Send no email</ActionButton>
      ) : (
        <ActionButton look="primary" onClick={subscribe}>
          Email me when it can be ordered
        </ActionButton>
      )}
    </div>
  );
}

function VisitorAlert({ productId, onOrderable }: StockAlertProps) {
  const [sentTo, setSentTo] = useState<string>();
  const form = useFields({ email: emailRule });
  const submit = form.onSubmit(async ({ email }, sent) => {
    const outcome = await call("askForStockAlert", {
      params: { id: productId },
      body: { email: email.trim() },
    });
    if (outcome.ok && outcome.data.alert === "orderable") onOrderable();
    else if (outcome.ok) setSentTo(email.trim());
    else sent.refuse(outcome);
  });
  if (sentTo) return <LinkSent email={sentTo} />;
  return (
    <form className="alert-me" method="post" noValidate onSubmit={submit}>
      <FormError>{form.refusal}</FormError>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint="One email when it can be ordered again. You confirm the address first."
        {...form.field("email")}
      />
      <Button type="submit" look="primary" busy={form.busy}>
        Email me when it can be ordered
      </Button>
    </form>
  );
}

/** Takes the focus of the removed button, and so is read. */
function LinkSent({ email }: { email: string }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <p tabIndex={-1} ref={text}>
      Open the link that we sent to {email} within a day. You then get an email when this tool can be ordered
      again.
    </p>
  );
}
