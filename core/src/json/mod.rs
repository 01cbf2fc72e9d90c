//! JSON as spans: checking, walking and copying without ever building a tree of it.
