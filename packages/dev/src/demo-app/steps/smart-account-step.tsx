import type { SmartAccount, UserOpStatus, Wallet } from '@symbolon/sdk'
import { useSymbolon } from '@symbolon/sdk/react'
import { useEffect, useState } from 'react'
import { parseEther } from 'viem'
import { demoConfig, devCall } from '../demo-config.ts'
import { ErrorNotice } from '../error-notice.tsx'
import { StepCard } from '../step-card.tsx'
import { Button } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Notice } from '../ui/notice.tsx'
import { useBalance } from '../use-chain.ts'
import { useLoggedAction } from '../use-logged-action.ts'

const code = `const { data: account } = await client.smartAccounts.create({ chain: 'base' })

// Several calls in one operation, and no ETH needed for gas:
const { data: operation } = await client.userOps.send({
  chain: 'base',
  calls: [
    { to: '0x7099…79C8', value: '1000000000000000' },
    { to: '0x3C44…93BC', value: '1000000000000000' },
  ],
})
operation.status                // submitted, confirmed or failed
operation.actual_gas_cost_eur   // your cost, not the user's`

/** 0.001 ETH to the second and third account of every local chain. */
const value = '1000000000000000'
const calls = [
  { to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', value },
  { to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', value },
]
/** For ten operations: the gas takes none of it. */
const fundsWei = '20000000000000000'

/** A smart account, and an operation whose gas the organization pays. */
export function SmartAccountStep({
  wallet,
  waitsFor,
}: {
  wallet: Wallet | undefined
  waitsFor: string | undefined
}) {
  const { account, balance, operation, createAccount, sendOperation, ...actions } = useSmartAccount(wallet)
  const { create, fund, send, wait } = actions
  return (
    <StepCard
      number={5}
      title="A smart account with sponsored gas"
      lead="An ERC-4337 account that your wallet owns. It sends several calls at once, and the organization pays the gas, up to EUR 10 a month."
      code={code}
      isDone={operation?.status === 'confirmed'}
      waitsFor={waitsFor}
    >
      {account === undefined ? (
        <div>
          <Button look="primary" isBusy={create.isRunning} onClick={() => void createAccount()}>
            Create a smart account
          </Button>
        </div>
      ) : (
        <>
          <Facts>
            <Fact name="Account" text={account.address} />
            <Fact name="Balance">
              <span className="tabular-nums">{balance ?? 'the chain is starting …'}</span>
            </Fact>
          </Facts>
          <div>
            <Button
              look="primary"
              isBusy={fund.isRunning || send.isRunning || wait.isRunning}
              onClick={() => void sendOperation()}
            >
              {wait.isRunning ? 'Waiting for the chain' : 'Send two payments in one operation'}
            </Button>
          </div>
        </>
      )}
      <ErrorNotice error={create.error ?? fund.error ?? send.error ?? wait.error} />
      {operation !== undefined && <Outcome operation={operation} />}
    </StepCard>
  )
}

/** The account of the wallet on the local chain, its last operation, and the possible actions. */
function useSmartAccount(wallet: Wallet | undefined) {
  const client = useSymbolon()
  const create = useLoggedAction<SmartAccount>()
  const send = useLoggedAction<UserOpStatus>(wallet?.polynomial_version)
  const fund = useLoggedAction<{ tx_hash: string }>()
  const wait = useLoggedAction<UserOpStatus>()
  const [account, setAccount] = useState<SmartAccount>()
  const [operation, setOperation] = useState<UserOpStatus>()
  const { balance, refresh } = useBalance(account?.address)
  const handle = demoConfig.chain?.handle

  useEffect(() => {
    setAccount(undefined)
    if (wallet === undefined) return
    void client.smartAccounts
      .list()
      .then(({ data }) => setAccount(data?.items.find(({ chain }) => chain === demoConfig.chain?.handle)))
  }, [client, wallet])

  const createAccount = async () => {
    if (handle === undefined) return
    const made = await create.run(`smartAccounts.create({ chain: '${handle}' })`, () =>
      client.smartAccounts.create({ chain: handle }),
    )
    if (made?.data) setAccount(made.data)
  }
  const sendOperation = async () => {
    if (handle === undefined) return
    setOperation(undefined)
    if (balance === undefined || parseEther(balance.replace(' ETH', '')) < 2n * BigInt(value)) {
      const body = { address: account?.address, amount_wei: fundsWei }
      const topUp = () => devCall<{ tx_hash: string }>('/dev/faucet', body)
      const funded = await fund.run("fetch('/dev/faucet', { method: 'POST', … })", topUp)
      if (!funded?.data) return
      await refresh()
    }
    const sent = await send.run(`userOps.send({ chain: '${handle}', calls: [ … 2 calls ] })`, () =>
      client.userOps.send({ chain: handle, calls }),
    )
    if (!sent?.data) return
    const { status, user_op_hash: hash } = sent.data
    setOperation(sent.data)
    if (status === 'submitted') {
      const landed = await wait.run(`userOps.wait('${hash.slice(0, 10)}…')`, () => client.userOps.wait(hash))
      if (landed?.data) setOperation(landed.data)
    }
    await refresh()
  }
  return { account, balance, operation, createAccount, sendOperation, create, fund, send, wait }
}

function Outcome({ operation }: { operation: UserOpStatus }) {
  return (
    <>
      <Facts>
        <Fact name="Operation" text={operation.user_op_hash} />
        {operation.block_number !== null && <Fact name="Block">{operation.block_number}</Fact>}
        {operation.actual_gas_cost_eur !== null && (
          <Fact name="Gas">
            EUR {Number(operation.actual_gas_cost_eur).toFixed(2)}, paid by the organization
          </Fact>
        )}
      </Facts>
      {operation.status === 'confirmed' && (
        <Notice look="good">
          Confirmed: two payments of 0.001 ETH in one operation. The account paid those, and no gas.
        </Notice>
      )}
      {operation.status === 'failed' && (
        <Notice look="bad">It failed: {operation.reason ?? 'no reason given'}</Notice>
      )}
    </>
  )
}
