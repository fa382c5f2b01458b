/** Decodes uploads in a process of its own: a file that crashes the decoder does not crash the store. */
import { setPriority } from "node:os";
import { encodePicture } from "./encode.ts";

const LOW_PRIORITY = 10;

setPriority(LOW_PRIORITY);
// signals are ignored: the store ends this process after its last picture
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", async (bytes: Uint8Array) => {
  process.send?.(await encodePicture(Buffer.from(bytes)));
});
