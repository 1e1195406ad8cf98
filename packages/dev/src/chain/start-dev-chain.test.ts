import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SharedChain, sharedChain } from '@symbolon/testing/chain'
import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  hashTypedData,
  numberToHex,
  parseAbi,
  parseEther,
  size,
  slice,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { beforeAll, expect, test } from 'vitest'
import { create2Deployer, entryPoint, lightAccount } from './chain-constants.ts'
import { type JsonRpc, jsonRpc } from './json-rpc.ts'
import { paymasterHash } from './paymaster-hash.ts'
import { accountAbi, operationHash, sponsoredOperation } from './testing/sponsored-operation.ts'

const targetAbi = parseAbi(['function poke() payable', 'function count() view returns (uint256)'])
const secp256k1n = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
let chain: SharedChain
let node: JsonRpc
let bundler: JsonRpc

beforeAll(async () => {
  chain = await sharedChain()
  node = jsonRpc(chain.rpcUrl)
  bundler = jsonRpc(chain.bundlerUrl)
})

const poke = () =>
  encodeFunctionData({
    abi: accountAbi,
    functionName: 'execute',
    args: [chain.contracts.target, 0n, encodeFunctionData({ abi: targetAbi, functionName: 'poke' })],
  })
const read = (to: Hex, data: Hex) => node.call<Hex>('eth_call', [{ to, data }, 'latest'])
const send = (op: Record<string, Hex>, signature: Hex) =>
  bundler.call<Hex>('eth_sendUserOperation', [{ ...op, signature }, entryPoint.address])
const typed = (signature: Hex) => concatHex(['0x00', signature])

async function receiptOf(hash: Hex): Promise<{ success: boolean; actualGasCost: Hex }> {
  for (;;) {
    const receipt = await bundler.call<{ success: boolean; actualGasCost: Hex } | null>(
      'eth_getUserOperationReceipt',
      [hash],
    )
    if (receipt !== null) return receipt
    await sleep(20)
  }
}

test('an account has the address that Light Account v2.0.0 gives it on every chain', async () => {
  const data = encodeFunctionData({
    abi: accountAbi,
    functionName: 'getAddress',
    args: ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 0n],
  })
  expect(getAddress(slice(await read(lightAccount.factory, data), 12))).toBe(
    '0x1eCBebd01B398F87d75aB93D853E340192D402Ac',
  )
})

test('a sponsored operation deploys the account and costs it nothing', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { op, hash } = await sponsoredOperation(chain, owner.address, poke())
  expect(await send(op, typed(await owner.signMessage({ message: { raw: hash } })))).toBe(hash)
  expect(await receiptOf(hash)).toMatchObject({ success: true })
  const owned = await read(
    op['sender'] as Hex,
    encodeFunctionData({ abi: accountAbi, functionName: 'owner' }),
  )
  expect(getAddress(slice(owned, 12))).toBe(owner.address)
  expect(await node.call('eth_getBalance', [op['sender'], 'latest'])).toBe('0x0')
})

test('a sponsorship signs what the contract hashes', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { op } = await sponsoredOperation(chain, owner.address, poke())
  const get = (name: string) => op[name] as Hex
  const n = (name: string) => BigInt(get(name))
  const halves = (high: string, low: string) =>
    concatHex([numberToHex(n(high), { size: 16 }), numberToHex(n(low), { size: 16 })])
  const abi = parseAbi([
    'function getHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes) userOp, uint48 validUntil, uint48 validAfter) view returns (bytes32)',
  ])
  const data = encodeFunctionData({
    abi,
    args: [
      [
        get('sender'),
        n('nonce'),
        concatHex([get('factory'), get('factoryData')]),
        get('callData'),
        halves('verificationGasLimit', 'callGasLimit'),
        n('preVerificationGas'),
        halves('maxPriorityFeePerGas', 'maxFeePerGas'),
        concatHex([
          chain.paymaster,
          halves('paymasterVerificationGasLimit', 'paymasterPostOpGasLimit'),
          get('paymasterData'),
        ]),
        '0x',
      ],
      1_234,
      567,
    ],
  })
  const limits = [
    'nonce',
    'callGasLimit',
    'verificationGasLimit',
    'preVerificationGas',
    'maxFeePerGas',
    'maxPriorityFeePerGas',
    'paymasterVerificationGasLimit',
    'paymasterPostOpGasLimit',
  ]
  const unpacked = { ...op, ...Object.fromEntries(limits.map((name) => [name, n(name)])) }
  expect(
    paymasterHash(unpacked as unknown as Parameters<typeof paymasterHash>[0], {
      paymaster: chain.paymaster,
      chainId: chain.chainId,
      validUntil: 1_234,
      validAfter: 567,
    }),
  ).toBe(await read(chain.paymaster, data))
})

test('wrong signatures get the answers of the genuine account', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const stranger = privateKeyToAccount(generatePrivateKey())
  const { op, hash } = await sponsoredOperation(chain, owner.address, poke())
  const good = await owner.signMessage({ message: { raw: hash } })
  const [r, s, v] = [slice(good, 0, 32), BigInt(slice(good, 32, 64)), Number(slice(good, 64))]
  const cases: [Hex, RegExp][] = [
    [typed(await stranger.signMessage({ message: { raw: hash } })), /AA24/],
    [typed(await owner.sign({ hash })), /AA24/],
    [typed(await owner.signMessage({ message: { raw: operationHash(op, chain.chainId + 1) } })), /AA24/],
    [concatHex(['0x01', good]), /AA24/],
    [good.startsWith('0x00') || good.startsWith('0x01') ? '0x' : good, /AA23.*0x60cd402d/s],
    [concatHex(['0x02', good]), /AA23.*0x60cd402d/s],
    ['0x', /AA23.*0x60cd402d/s],
    [typed(concatHex([slice(good, 0, 64), numberToHex(v - 27, { size: 1 })])), /AA23.*0xf645eedf/s],
    [
      typed(concatHex([r, numberToHex(secp256k1n - s, { size: 32 }), numberToHex(55 - v, { size: 1 })])),
      /AA23.*0xd78bce0c/s,
    ],
  ]
  for (const [signature, refusal] of cases)
    await expect(
      send(op, signature).catch((error) => {
        throw new Error(`${error.message} ${JSON.stringify(error.data)}`)
      }),
    ).rejects.toThrow(refusal)
  await expect(
    send({ ...op, maxFeePerGas: numberToHex(BigInt(op['maxFeePerGas'] ?? 0) + 1n) }, typed(good)),
  ).rejects.toThrow(/AA[23]4/)
  expect(await send(op, typed(good))).toBe(hash)
})

test('a message is valid for the account whose domain it was signed in (ERC-1271)', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const { op, hash } = await sponsoredOperation(chain, owner.address, poke())
  await send(op, typed(await owner.signMessage({ message: { raw: hash } })))
  await receiptOf(hash)
  const account = op['sender'] as Hex
  const message = hashTypedData({
    domain: { name: 'LightAccount', version: '2', chainId: chain.chainId, verifyingContract: account },
    types: { LightAccountMessage: [{ name: 'message', type: 'bytes' }] },
    primaryType: 'LightAccountMessage',
    message: { message: hash },
  })
  const verdict = async (signature: Hex) =>
    decodeFunctionResult({
      abi: accountAbi,
      functionName: 'isValidSignature',
      data: await read(
        account,
        encodeFunctionData({ abi: accountAbi, functionName: 'isValidSignature', args: [hash, signature] }),
      ),
    })
  expect(await verdict(typed(await owner.sign({ hash: message })))).toBe('0x1626ba7e')
  expect(await verdict(typed(await owner.sign({ hash })))).toBe('0xffffffff')
})

test('the paymaster refuses another chain, another entry point and anything malformed', async () => {
  const paymaster = jsonRpc(chain.paymasterUrl)
  const own = numberToHex(chain.chainId)
  for (const params of [
    [{}, entryPoint.address, '0x1', {}],
    [{}, create2Deployer, own, {}],
    [{}, entryPoint.address, own, {}],
    [{ sender: 1 }, entryPoint.address, own, {}],
    [],
  ])
    await expect(paymaster.call('pm_getPaymasterData', params)).rejects.toMatchObject({ code: -32602 })
  await expect(paymaster.call('pm_sponsorEverything', [])).rejects.toMatchObject({ code: -32601 })
  paymaster.close()
})

test('a transaction is mined at once and confirmed by a further block within 300 ms', async () => {
  const times: number[] = []
  for (let i = 0; i < 4; i++) {
    const to = privateKeyToAccount(generatePrivateKey()).address
    const hash = await chain.fund(to, parseEther('1'))
    const startedAt = performance.now()
    const receipt = await node.call<{ blockNumber: Hex }>('eth_getTransactionReceipt', [hash])
    while (BigInt(await node.call<Hex>('eth_blockNumber')) <= BigInt(receipt.blockNumber)) await sleep(5)
    times.push(performance.now() - startedAt)
    expect(BigInt(await node.call<Hex>('eth_getBalance', [to, 'latest']))).toBe(parseEther('1'))
  }
  // The pacer waits 150 ms; the node may have been busy with others meanwhile, but not each time.
  expect(Math.min(...times)).toBeLessThan(300)
})

test('concurrent grants all arrive', async () => {
  const to = privateKeyToAccount(generatePrivateKey()).address
  await Promise.all(Array.from({ length: 20 }, () => chain.fund(to, 5n)))
  expect(BigInt(await node.call<Hex>('eth_getBalance', [to, 'latest']))).toBe(100n)
})

test('node, bundler and paymaster are reached from this machine alone', async () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)
  for (const url of [chain.rpcUrl, chain.bundlerUrl, chain.paymasterUrl]) {
    // A machine without a network has no other address of its own than loopback ones.
    const other = new URL(url)
    other.hostname = outside?.address ?? '127.0.0.2'
    const client = jsonRpc(other.href)
    await expect(client.call('eth_chainId')).rejects.toThrow(/ECONNREFUSED/)
    client.close()
  }
})

test('bundler and paymaster answer requests that name this machine, and no other', async () => {
  for (const url of [chain.bundlerUrl, chain.paymasterUrl]) {
    const { port } = new URL(url)
    expect(await statusOf(url, `127.0.0.1:${port}`)).toBe(200)
    expect(await statusOf(url, `localhost:${port}`)).toBe(200)
    for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1.evil.example'])
      expect(await statusOf(url, host)).toBe(421)
  }
})

/** What a call that names `host` is answered. */
function statusOf(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json' }
    const asked = request(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'pm_supportedEntryPoints', params: [] }))
  })
}

test('the trial contracts have the addresses that the chain names', async () => {
  for (const address of Object.values(chain.contracts))
    expect(size(await node.call<Hex>('eth_getCode', [address, 'latest']))).toBeGreaterThan(300)
})
