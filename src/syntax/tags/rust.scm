(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @variable
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(field_declaration name: (field_identifier) @name) @field
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @enum_member
(trait_item name: (type_identifier) @name) @interface
(associated_type name: (type_identifier) @name) @type
(type_item name: (type_identifier) @name) @type
(impl_item type: (type_identifier) @name) @impl
(impl_item type: (generic_type type: (type_identifier) @name)) @impl
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(mod_item name: (identifier) @name) @module
(macro_definition name: (identifier) @name) @function
