/** The process that decodes what was uploaded: whatever a file does to the decoder, it does not do it to the store. */
import { setPriority } from "node:os";
import { encodePicture } from "./encode.ts";

/** Requests come first. */
const LOW_PRIORITY = 10;

setPriority(LOW_PRIORITY);
// the store ends it, when it has finished what is under way
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", async (bytes: Uint8Array) => {
  process.send?.(await encodePicture(Buffer.from(bytes)));
});
