/** Decodes uploads in a process of its own: a file that crashes the decoder does not crash the store. */
import { setPriority } from "node:os";
import { encodePicture } from "./encode.ts";

const LOW_PRIORITY = 10;

setPriority(LOW_PRIORITY);
// the store ends this process, once it has finished its pictures
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());
process.on("message", async (bytes: Uint8Array) => {
  process.send?.(await encodePicture(Buffer.from(bytes)));
});
