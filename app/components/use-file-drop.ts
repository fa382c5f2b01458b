import { type DragEvent, useState } from "react";

/** Props of an element that files can be dropped on; `data-over` is set while they are above it. */
export function useFileDrop(onDrop: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      onDrop(event.dataTransfer.files);
    },
  };
}
