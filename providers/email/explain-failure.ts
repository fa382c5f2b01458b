/** As the library sets it. */
export type SendError = Error & {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
};

const CERTIFICATE = /CERT|ISSUER|SIGNATURE/;

/** What an admin can do something about, followed by what the server said. */
export function explainFailure(error: SendError): Error {
  const { message, response = message, originalCode } = error;
  const reason = reasonOf(error);
  if (!reason) return error;
  const said = originalCode?.startsWith("ERR_SSL") ? originalCode : response;
  const line = said.replace(/\s+/g, " ").replace(/[ .]+$/, "");
  return Object.assign(new Error(`${reason}: ${line}`, { cause: error }), { code: error.code });
}

function reasonOf({ code, originalCode = "", responseCode, command, message }: SendError): string | null {
  if (responseCode === 530) return "The SMTP server requires a user and a password in SMTP_URL";
  if (code === "EAUTH") return "The SMTP server refuses the user or the password of SMTP_URL";
  if (code === "ETLS") return "The SMTP server does not encrypt the connection (STARTTLS)";
  if (command === "RCPT TO") return "The SMTP server refuses the recipient";
  if (command === "MAIL FROM") return "The SMTP server refuses the sender";
  if (command === "DATA") return "The SMTP server refuses the message";
  if (originalCode === "ERR_SSL_WRONG_VERSION_NUMBER")
    return "This port of the SMTP server does not begin with TLS, and needs smtp:// instead of smtps:// in SMTP_URL";
  if (CERTIFICATE.test(originalCode)) return "The certificate of the SMTP server is not valid";
  if (code === "EPROTOCOL" && message.startsWith("Invalid greeting"))
    return "What responds at SMTP_URL is not an SMTP server";
  if (message.startsWith("Greeting never received"))
    return "The SMTP server does not respond; a port that begins with TLS, such as 465, needs smtps:// in SMTP_URL";
  return ["EDNS", "ESOCKET", "ECONNECTION", "ETIMEDOUT"].includes(code ?? "")
    ? "The SMTP server cannot be reached"
    : null;
}
