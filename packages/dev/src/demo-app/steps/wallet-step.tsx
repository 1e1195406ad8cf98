import { addressLabel, curveLabel, networks } from '@symbolon/networks/browser'
import type { Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import type { SigningMode } from '../demo-config.ts'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { useLoggedAction } from '../use-logged-action.ts'

type Curve = Wallet['curve']

const code = `const { data: wallet, error } = await client.wallets.create()
// wallet_exists returns the existing wallet: logging in again is normal.

wallet.address          // 0x…
wallet.addresses        // { evm, bitcoin, bitcoin_taproot, tron, cosmos }

// One more key for ${curveLabel(networks, 'ed25519')}:
await client.wallets.create({ curve: 'ed25519' })`

const leads = {
  client:
    'The key is generated in this browser and immediately split into three shares: one for this device, one for the platform, one for recovery. Any two rebuild it; one alone can’t.',
  tee: 'The key is generated inside an attested enclave, where it is split and sealed. Nobody ever sees it.',
}
/** Making the user's wallets and showing their addresses. */
export function WalletStep({
  mode,
  wallets,
  waitsFor,
  onWallet,
}: {
  mode: SigningMode
  wallets: Partial<Record<Curve, Wallet>>
  waitsFor: string | undefined
  onWallet: (wallet: Wallet) => void
}) {
  const client = useSymbolon()
  const create = useLoggedAction<Wallet>()
  const createOn = (curve: Curve) =>
    void create
      .run(`wallets.create({ curve: '${curve}' })`, () => client.wallets.create({ curve }))
      .then((result) => result?.data && onWallet(result.data))
  const made = [wallets.secp256k1, wallets.ed25519].filter((wallet) => wallet !== undefined)

  return (
    <StepCard
      number={2}
      title={made.length === 0 ? 'Create your wallet' : 'Your wallet'}
      lead={leads[mode]}
      code={code}
      isDone={made.length > 0}
      waitsFor={waitsFor}
    >
      {made.length > 0 && (
        <Facts>
          {made.flatMap(({ addresses }) =>
            Object.entries(addresses).map(([name, address]) => (
              <Fact key={name} name={addressLabel(networks, name)} text={address} />
            )),
          )}
        </Facts>
      )}
      <div className="flex flex-wrap gap-3">
        {wallets.secp256k1 === undefined && (
          <Button look="primary" isBusy={create.isRunning} onClick={() => createOn('secp256k1')}>
            Create my wallet
          </Button>
        )}
        {wallets.secp256k1 !== undefined && wallets.ed25519 === undefined && (
          <Button isBusy={create.isRunning} onClick={() => createOn('ed25519')}>
            Add {curveLabel(networks, 'ed25519')}
          </Button>
        )}
      </div>
      <ErrorNotice error={create.error?.code === 'wallet_exists' ? undefined : create.error} />
    </StepCard>
  )
}
