/** An answer of the responses protocol that its caller may come back to. */
interface StoredResponseTable {
  /** As the caller knows it. */
  id: string;
  account_id: string;
  stored_at: number;
  expires_at: number;
  /** Answer and input, compressed and sealed. */
  bytes: Uint8Array;
}

/** Where an item of an answer is found by its id. */
interface StoredResponseItemTable {
  account_id: string;
  item_id: string;
  response_id: string;
}

/** The tables of stored responses. */
export interface StoredResponsesSchema {
  stored_response: StoredResponseTable;
  stored_response_item: StoredResponseItemTable;
}
