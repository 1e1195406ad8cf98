import { selectorOf } from '../selector.ts'

/** The words that name who gets what a call makes: of the arguments' head, or of the one tuple that the head points to. */
export type Places = {
  readonly words: readonly number[]
  readonly isInTuple?: boolean
  /** What is left over, and what goes to 0, is anybody's. */
  readonly isRouter?: boolean
  /** 1 is whoever calls, and 2 the router itself: only SwapRouter02 reads them so. To all others they are accounts. */
  readonly hasCaller?: boolean
  /** Pools, makers or helpers that the call names may keep what goes through them. */
  readonly isPartial?: boolean
  /** All value is used. Without this, some of it may come back to whoever calls. */
  readonly isSpent?: boolean
}

const at = (
  word: number | readonly number[],
  signatures: readonly string[],
  more: Omit<Places, 'words'> = {},
) => signatures.map((signature) => [signature, { words: [word].flat(), ...more }] as const)

function partly([signature, places]: readonly [string, Places]): readonly [string, Places] {
  return [signature, { ...places, isPartial: true }]
}

/** ERC-4626 with the forms of ERC-5143 and 7540, vaults, wrappers and stakes: assets or shares, then who they are for. */
const vaults = [
  ...at(1, [
    'deposit(uint256,address)',
    'deposit(uint256,address,address)',
    'deposit(uint256,address,uint256)',
    'mint(uint256,address)',
    'mint(uint256,address,address)',
    'mint(uint256,address,uint256)',
    'redeem(uint256,address,address,uint256)',
    'redeem(uint256,address,address,uint256,address[])',
    'requestDeposit(uint256,address,address)',
    'requestRedeem(uint256,address,address)',
    'requestWithdrawals(uint256[],address)',
    'withdraw(uint256,address)',
    'withdraw(uint256,address,uint256)',
    'withdraw(uint256,address,address)',
    'withdraw(uint256,address,address,uint256)',
    'withdraw(uint256,address,address,uint256,address[])',
  ]),
  ...at(0, ['depositFor(address,uint256)', 'stakeFor(address,uint256)']),
  ...at(0, ['depositTo(address)'], { isSpent: true }),
  ...at(2, ['claimWithdrawalsTo(uint256[],uint256[],address)']),
  // Ether for an account on a rollup, in whole.
  ...at(0, ['bridgeETHTo(address,uint32,bytes)', 'depositETHTo(address,uint32,bytes)'], { isSpent: true }),
]

const morphoMarket = '(address,address,address,address,uint256)'

/** Aave, Compound III and Morpho: what is lent or taken back, or whose debt is paid. */
const lenders = [
  ...at(0, [
    'supplyTo(address,address,uint256)',
    'transferAsset(address,address,uint256)',
    'withdrawTo(address,address,uint256)',
  ]),
  ...at(1, [
    'supplyFrom(address,address,address,uint256)',
    'transferAssetFrom(address,address,address,uint256)',
    'withdrawFrom(address,address,address,uint256)',
  ]),
  ...at(2, [
    'deposit(address,uint256,address,uint16)',
    'supply(address,uint256,address,uint16)',
    'supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)',
    'withdraw(address,uint256,address)',
    'withdrawETH(address,uint256,address)',
    'withdrawETHWithPermit(address,uint256,address,uint256,uint8,bytes32,bytes32)',
  ]),
  ...at(3, ['repay(address,uint256,uint256,address)']),
  ...at(7, [
    `repay(${morphoMarket},uint256,uint256,address,bytes)`,
    `withdrawCollateral(${morphoMarket},uint256,address,address)`,
  ]),
  ...at(8, [`withdraw(${morphoMarket},uint256,uint256,address,address)`]),
]

/** Lenders by a pool or market that the call names: anybody makes one whose oracle and tokens are theirs, or that pays nothing in. */
const namedLenders = [
  ...at(1, ['depositETH(address,address,uint16)']),
  ...at(2, ['repayETH(address,uint256,address)']),
  ...at(3, ['repayETH(address,uint256,uint256,address)']),
  ...at(6, [`supplyCollateral(${morphoMarket},uint256,address,bytes)`]),
  ...at(7, [`supply(${morphoMarket},uint256,uint256,address,bytes)`]),
  ...at(8, [`borrow(${morphoMarket},uint256,uint256,address,address)`]),
].map(partly)

const single = '(address,address,uint24,address,uint256,uint256,uint160)'
const singleUntil = '(address,address,uint24,address,uint256,uint256,uint256,uint160)'
const alongPath = '(bytes,address,uint256,uint256)'
const alongPathUntil = '(bytes,address,uint256,uint256,uint256)'

/** Uniswap, those made after it, Balancer and Curve: who gets what is swapped, the shares of a pool or what they stand for. */
const exchanges = [
  ...at(
    2,
    [
      'swapExactETHForTokens(uint256,address[],address,uint256)',
      'swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)',
    ],
    { isSpent: true },
  ),
  ...at(2, [
    'swapETHForExactTokens(uint256,address[],address,uint256)',
    'exitPool(bytes32,address,address,(address[],uint256[],bytes,bool))',
    'joinPool(bytes32,address,address,(address[],uint256[],bytes,bool))',
  ]),
  ...at(3, [
    'swap((bytes32,uint8,address,address,uint256,bytes),(address,bool,address,bool),uint256,uint256)',
    'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
    'swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
    'swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    'swapTokensForExactETH(uint256,uint256,address[],address,uint256)',
    'swapTokensForExactTokens(uint256,uint256,address[],address,uint256)',
  ]),
  ...at(4, [
    'addLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    'exchange(int128,int128,uint256,uint256,address)',
    'exchange(uint256,uint256,uint256,uint256,address)',
    'removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)',
    'removeLiquidityETHSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256)',
    'removeLiquidityETHWithPermit(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)',
    'removeLiquidityETHWithPermitSupportingFeeOnTransferTokens(address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)',
  ]),
  ...at(5, [
    'batchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool),int256[],uint256)',
    'exchange(uint256,uint256,uint256,uint256,bool,address)',
    'removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)',
    'removeLiquidityWithPermit(address,address,uint256,uint256,uint256,address,uint256,bool,uint8,bytes32,bytes32)',
  ]),
  ...at(6, ['addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)']),
  ...at(9, ['mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))'], {
    isRouter: true,
  }),
  ...at(3, [`exactInputSingle(${singleUntil})`, `exactOutputSingle(${singleUntil})`], { isRouter: true }),
  ...at(
    3,
    [
      `exactInputSingle(${single})`,
      `exactOutputSingle(${single})`,
      'swapExactTokensForTokens(uint256,uint256,address[],address)',
      'swapTokensForExactTokens(uint256,uint256,address[],address)',
    ],
    { isRouter: true, hasCaller: true },
  ),
  ...at(1, [`exactInput(${alongPathUntil})`, `exactOutput(${alongPathUntil})`], {
    isInTuple: true,
    isRouter: true,
  }),
  ...at(1, [`exactInput(${alongPath})`, `exactOutput(${alongPath})`], {
    isInTuple: true,
    isRouter: true,
    hasCaller: true,
  }),
  ...at(1, ['collect((uint256,address,uint128,uint128))', 'unwrapWETH9(uint256,address)'], {
    isRouter: true,
  }),
  ...at([1, 3], ['unwrapWETH9WithFee(uint256,address,uint256,address)'], { isRouter: true }),
  ...at(2, ['sweepToken(address,uint256,address)'], { isRouter: true }),
  ...at([2, 4], ['sweepTokenWithFee(address,uint256,address,uint256,address)'], { isRouter: true }),
]

const words = (count: number) => Array.from({ length: count }, () => 'uint256').join(',')
const clipper = 'address,uint256,uint256,uint256,bytes32,bytes32'
const order = '(uint256,address,address,address,address,address,uint256,uint256,uint256,bytes)'
const quote = '(uint256,address,address,address,address,uint256,uint256)'

/** 1inch v5 and v6 beside `swap`: to the caller, or to who is named, by pools or orders that are named too. */
const oneInch: readonly (readonly [string, Places])[] = [
  ...at(
    [],
    [
      'unoswap(address,uint256,uint256,uint256[])',
      'uniswapV3Swap(uint256,uint256,uint256[])',
      `clipperSwap(address,address,${clipper})`,
      `clipperSwap(address,uint256,${clipper})`,
      `unoswap(${words(4)})`,
      `unoswap2(${words(5)})`,
      `unoswap3(${words(6)})`,
      `ethUnoswap(${words(2)})`,
      `ethUnoswap2(${words(3)})`,
      `ethUnoswap3(${words(4)})`,
    ],
  ),
  ...at(0, [
    'unoswapTo(address,address,uint256,uint256,uint256[])',
    'unoswapToWithPermit(address,address,uint256,uint256,uint256[],bytes)',
    'uniswapV3SwapTo(address,uint256,uint256,uint256[])',
    'uniswapV3SwapToWithPermit(address,address,uint256,uint256,uint256[],bytes)',
    `unoswapTo(${words(5)})`,
    `unoswapTo2(${words(6)})`,
    `unoswapTo3(${words(7)})`,
    `ethUnoswapTo(${words(3)})`,
    `ethUnoswapTo2(${words(4)})`,
    `ethUnoswapTo3(${words(5)})`,
  ]),
  ...at(1, [
    `clipperSwapTo(address,address,address,${clipper})`,
    `clipperSwapTo(address,address,uint256,${clipper})`,
    `clipperSwapToWithPermit(address,address,address,${clipper},bytes)`,
  ]),
  ...at(6, [
    `fillOrderTo(${order},bytes,bytes,uint256,uint256,uint256,address)`,
    `fillOrderToWithPermit(${order},bytes,bytes,uint256,uint256,uint256,address,bytes)`,
  ]),
  ...at(9, [
    `fillOrderRFQTo(${quote},bytes,uint256,address)`,
    `fillOrderRFQToWithPermit(${quote},bytes,uint256,address,bytes)`,
  ]),
].map(partly)

const methods: readonly (readonly [signature: string, Places])[] = [
  ...vaults,
  ...lenders,
  ...namedLenders,
  ...exchanges,
  ...oneInch,
]

/** The methods that have such places. */
export const receiverSignatures: readonly string[] = methods.map(([signature]) => signature)

/** The places by selector. */
export const receiverPlaces: ReadonlyMap<string, Places> = new Map(
  methods.map(([signature, places]) => [selectorOf(signature), places]),
)
