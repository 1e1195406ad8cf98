const operation = '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)'
const operation06 = '(address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)'

/**
 * What an account takes from its owner, its modules or the EntryPoint alone, beside the calls that are read and the methods that many contracts
 * have: code that it creates, its deposit for gas, calls of itself, operations that it checks or runs, who owns it from the start. Of Light
 * Account and Modular Account, SimpleAccount and Simple7702, Coinbase Smart Wallet, Kernel, Nexus, the account modules of Safe, Biconomy.
 */
export const accountMethods: readonly string[] = [
  'addDeposit()',
  'createContract(uint256,bytes)',
  'deployCreate(bytes)',
  'deployCreate2(bytes,bytes32)',
  'disableMode(bytes4)',
  'emergencyUninstallHook((address,uint256,bytes,uint256),bytes)',
  'executeBatchCall(address[],uint256[],bytes[])',
  'executeBatchCall_4by(address[],uint256[],bytes[])',
  'executeCall_s1m(address,uint256,bytes)',
  `executeUserOp(${operation},bytes32)`,
  'executeWithoutChainIdValidation(bytes[])',
  'init(address,address,bytes)',
  'initialize(address)',
  'initialize(address,address)',
  'initialize(address,bytes)',
  'initialize(address[])',
  'initialize(address[],uint256)',
  'initialize(bytes)',
  'initialize(bytes21,address,bytes,bytes)',
  'initialize(bytes21,address,bytes,bytes,bytes[])',
  'initialize(bytes[])',
  'initializeAccount(bytes)',
  'initializeWithValidation(bytes25,bytes4[],bytes,bytes[])',
  'invalidateNonce(uint32)',
  'performCreate(uint256,bytes)',
  'performCreate(uint256,bytes,bool,bytes32)',
  'performCreate2(uint256,bytes,bytes32)',
  'setupAndEnableModule(address,bytes)',
  'uninstallValidation(bytes21,bytes,bytes)',
  'unlockStake()',
  `validateUserOp(${operation},bytes32,uint256)`,
  `validateUserOp(${operation06},bytes32,uint256)`,
  'withdrawDepositTo(address,uint256)',
]
