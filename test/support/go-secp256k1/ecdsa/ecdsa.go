// Package ecdsa signs with the keys of the package above it.
package ecdsa

import (
	"crypto/rand"
	"encoding/asn1"
	"math/big"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// Signature is an ECDSA signature.
type Signature struct {
	R, S *big.Int
}

// Sign signs a hash of 32 bytes.
func Sign(key *secp256k1.PrivateKey, hash []byte) *Signature {
	for {
		nonce, err := rand.Int(rand.Reader, secp256k1.Order)
		if err != nil {
			panic(err)
		}
		if nonce.Sign() == 0 {
			continue
		}
		r := secp256k1.BaseMultX(nonce)
		r.Mod(r, secp256k1.Order)
		s := new(big.Int).Mul(r, key.D)
		s.Add(s, new(big.Int).SetBytes(hash)).Mul(s, nonce.ModInverse(nonce, secp256k1.Order))
		s.Mod(s, secp256k1.Order)
		if r.Sign() > 0 && s.Sign() > 0 {
			return &Signature{r, s}
		}
	}
}

// Serialize is the signature in DER.
func (s *Signature) Serialize() []byte {
	der, err := asn1.Marshal(*s)
	if err != nil {
		panic(err)
	}
	return der
}
