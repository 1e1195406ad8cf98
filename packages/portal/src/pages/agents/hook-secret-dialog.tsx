import type { AgentHookWithSecret } from '@symbolon/sdk/portal'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'

/** Shows a hook's secret, the only time there is. */
export function HookSecretDialog({ hook, onClose }: { hook: AgentHookWithSecret; onClose: () => void }) {
  return (
    <Dialog
      title={`The secret of ${hook.name}`}
      text="The sender signs its deliveries with it. It is shown this once."
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <SecretOnce label="Hook secret" secret={hook.secret} />
      <div className="flex min-w-0 flex-col gap-1 text-sm">
        <span className="text-muted">Address for its deliveries</span>
        <Mono text={hook.url} what="address of the hook" />
      </div>
    </Dialog>
  )
}
