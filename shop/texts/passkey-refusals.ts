/** Separate from shop/texts/refusals.ts, so that a browser loads it only with passkeys. No imports. */
export const passkeyRefusals = {
  passkeyNotVerified:
    "This passkey did not verify you. Unlock it with your fingerprint, your face or a PIN, or log in another way.",
  passkeyFailed: "This passkey could not be used. Try again, or log in another way.",
  passkeyUnknown: "This passkey is not known here. Log in another way, then add it under Dashboard, Account.",
  tooManyPasskeys: "This account has twenty passkeys. Remove one first.",
  passkeyNotGiven: "No passkey was provided. Try again, or log in another way.",
  passkeyNotMade: "No passkey was created. Nothing has changed.",
  passkeyThere: "This device already has a passkey for your account.",
  passkeysUnsupported:
    "This browser cannot use passkeys here. They need an up-to-date browser and the store's own secure address.",
} as const;
