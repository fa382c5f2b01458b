/** A long email wraps before its @. */
export function EmailText({ children: email }: { children: string }) {
  const at = Math.max(0, email.lastIndexOf("@"));
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}
