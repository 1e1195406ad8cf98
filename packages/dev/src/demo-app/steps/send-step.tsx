import type { Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import { useId, useState } from 'react'
import { type Address, isAddress, parseEther } from 'viem'
import { demoConfig, devCall } from '../demo-config.ts'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { useBalance } from '../use-chain.ts'
import { useLoggedAction } from '../use-logged-action.ts'
import { type Receipt, useReceipt } from '../use-receipt.ts'

const code = `// Prepare, show, sign, broadcast: one call.
const { data } = await client.evm.send({
  chain: 'base',
  to: '0x7099…79C8',
  value: '10000000000000000', // wei
})
data.tx_hash

// The same through any library:
await walletClient.sendTransaction({ account, to, value })`

/** Somebody who is not the user: the second account of every local chain. */
const somebody: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const oneEther = 10n ** 18n
const emptyBalance = '0 ETH'

/** Getting test coins, sending some, and seeing the receipt. */
export function SendStep({ wallet, waitsFor }: { wallet: Wallet | undefined; waitsFor: string | undefined }) {
  const client = useSymbolon()
  const address = wallet?.addresses['evm']
  const { balance, refresh } = useBalance(address)
  const fund = useLoggedAction<{ tx_hash: string }>()
  const send = useLoggedAction<{ tx_hash: string }>(wallet?.polynomial_version)
  const receipt = useReceipt()
  const handle = demoConfig.chain?.handle
  const isEmpty = balance === emptyBalance

  const getCoins = async () => {
    const body = { address, amount_wei: String(oneEther) }
    await fund.run("fetch('/dev/faucet', { method: 'POST', … })", () =>
      devCall<{ tx_hash: string }>('/dev/faucet', body),
    )
    await refresh()
  }
  const sendCoins = async (to: Address, amount: string) => {
    if (handle === undefined) return
    receipt.clear()
    const value = String(parseEther(amount))
    const result = await send.run(`evm.send({ chain: '${handle}', to: '${to}', value: '${value}' })`, () =>
      client.evm.send({ chain: handle, to, value }),
    )
    if (result?.data) await receipt.follow(result.data.tx_hash)
    await refresh()
  }

  return (
    <StepCard
      number={4}
      title="Send on the local chain"
      lead="A real EVM node runs next to the platform. Get 1 test ETH, send some of it, and read the receipt."
      code={code}
      isDone={receipt.receipt !== undefined}
      waitsFor={waitsFor}
    >
      <Facts>
        <Fact name="Balance">
          <Balance balance={balance} isBusy={fund.isRunning} onGetCoins={() => void getCoins()} />
        </Fact>
      </Facts>
      <ErrorNotice error={fund.error} />
      <SendForm
        isEmpty={isEmpty}
        isBusy={send.isRunning || receipt.isWaiting}
        onSend={(to, amount) => void sendCoins(to, amount)}
      />
      <ErrorNotice error={send.error} />
      {send.data !== undefined && <ShownReceipt hash={send.data.tx_hash} receipt={receipt.receipt} />}
    </StepCard>
  )
}

function Balance({
  balance,
  isBusy,
  onGetCoins,
}: {
  balance: string | undefined
  isBusy: boolean
  onGetCoins: () => void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 pr-1">
      <span className="font-medium tabular-nums">{balance ?? 'the chain is starting …'}</span>
      <Button look={balance === emptyBalance ? 'primary' : 'secondary'} isBusy={isBusy} onClick={onGetCoins}>
        Get 1 test ETH
      </Button>
    </div>
  )
}

function SendForm({
  isEmpty,
  isBusy,
  onSend,
}: {
  isEmpty: boolean
  isBusy: boolean
  onSend: (to: Address, amount: string) => void
}) {
  const [to, setTo] = useState(somebody)
  const [amount, setAmount] = useState('0.01')
  const hintId = useId()
  return (
    <>
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          onSend(to, amount)
        }}
      >
        <Field label="To" required value={to} onText={(text) => setTo(text.trim() as Address)} />
        <div className="basis-28">
          <Field
            label="ETH"
            required
            inputMode="decimal"
            pattern="[0-9]+(\.[0-9]{1,18})?"
            value={amount}
            onText={setAmount}
          />
        </div>
        <Button
          type="submit"
          look={isEmpty ? 'secondary' : 'primary'}
          disabled={isEmpty || !isAddress(to)}
          aria-describedby={isEmpty ? hintId : undefined}
          isBusy={isBusy}
        >
          Send
        </Button>
      </form>
      {isEmpty && (
        <p id={hintId} className="text-xs text-muted">
          Your balance is 0: get 1 test ETH first.
        </p>
      )}
      {!isAddress(to) && (
        <Notice look="bad">
          That is not an address. Enter 0x and 40 hex digits, with the right checksum.
        </Notice>
      )}
    </>
  )
}

function ShownReceipt({ hash, receipt }: { hash: string; receipt: Receipt | undefined }) {
  return (
    <>
      <Facts>
        <Fact name="Transaction" text={hash} />
        {receipt !== undefined && <Fact name="Block">{receipt.block}</Fact>}
        {receipt !== undefined && <Fact name="Gas used">{receipt.gasUsed}</Fact>}
      </Facts>
      {receipt !== undefined && (
        <Notice look={receipt.isSuccess ? 'good' : 'bad'}>
          {receipt.isSuccess ? 'Mined: the payment is on the chain.' : 'Mined, but it failed on the chain.'}
        </Notice>
      )}
    </>
  )
}
