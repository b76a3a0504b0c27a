/** A modal window. The page behind it is dimmed, and cannot be used until the window closes. */
import * as Dialog from "@radix-ui/react-dialog"
import type { ReactNode } from "react"
import { Icon } from "./Icon.tsx"

interface SheetProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly children: ReactNode
  readonly side?: "center" | "left" | "right"
  readonly hidesTitle?: boolean
}

// Radix's own overlay would put a style element into the page, which the policy of the page does not allow.
export const Sheet = ({ children, hidesTitle = false, isOpen, onOpenChange, side = "center", title }: SheetProps) => (
  <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
    <Dialog.Portal>
      <div className="sheet-backdrop" />
      <Dialog.Content
        className={`sheet sheet-${side}`}
        aria-describedby={undefined}
        // A window that closes returns the focus with a delay, which must not close the next window.
        onFocusOutside={(event) => event.preventDefault()}
      >
        <div className={hidesTitle ? "visually-hidden" : "sheet-header"}>
          <Dialog.Title>{title}</Dialog.Title>
          {!hidesTitle && (
            <Dialog.Close className="button quiet" aria-label="Close">
              <Icon name="close" />
            </Dialog.Close>
          )}
        </div>
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)
